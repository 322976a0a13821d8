package io.tokenvault.ports.runtime;

/**
 * Selects one node for each background task.
 *
 * <p>An instance represents one node. It stays elected for a task until it is closed, resigns or is
 * lost: crashes, hangs, or cannot reach the store. Then another candidate is elected within a
 * minute.
 *
 * <p>A lost node may not know it yet, so a task must tolerate that two nodes run it concurrently.
 * Election saves work; it does not protect data.
 */
public interface LeaderElection {

  /**
   * Runs work if this node is elected for the task already, or becomes elected because no other
   * node is. Exceptions of the work are propagated, and the node stays elected.
   *
   * @return whether the work was run by this node
   */
  boolean ifElected(LeaderTask task, Runnable work);

  /** Resigns from a task; if no other node is elected, this one can be elected again. */
  void resign(LeaderTask task);

  /**
   * Reports that this node is alive. Call it at least every ten seconds from a thread that does
   * nothing else: a node that is silent for longer counts as lost, however busy it is.
   */
  void keepAlive();
}
