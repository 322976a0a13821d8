package io.tokenvault.ports.runtime;

/**
 * Sees to it that work which any node could do is done by one of them. An instance stands for one
 * node; what it was elected for it keeps until it is closed, or is lost: dies, hangs, or cannot
 * reach the store any more. Then another node that tries is elected, within a minute.
 *
 * <p>A node may not know yet that it was lost. So work has to bear that another node does the same
 * at the same time; an election saves work, and does not protect data.
 */
public interface LeaderElection {

  /**
   * Does some work if this node is elected for the duty already, or if no other node is. What the
   * work throws is passed on, and the node stays elected.
   *
   * @return whether it was done here
   */
  boolean ifElected(LeaderTask duty, Runnable work);

  /** Leaves a duty to other nodes; if none takes it, this one is elected again. */
  void resign(LeaderTask duty);

  /**
   * Shows that this node is there. To be called every ten seconds or more often, by a thread that
   * does nothing else: who is silent for longer counts as lost, however busy.
   */
  void show();
}
