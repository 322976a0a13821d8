package io.tokenvault.ports.memory;

import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.ports.runtime.LeaderElection;
import io.tokenvault.ports.runtime.LeaderTask;
import java.util.Map;

/** One of the nodes in this process that share the map of who does what; for tests. */
public final class InMemoryElection implements LeaderElection {

  private final Map<LeaderTask, InMemoryElection> elected;
  private volatile boolean gone;

  /**
   * @param elected safe for use by several threads
   */
  public InMemoryElection(Map<LeaderTask, InMemoryElection> elected) {
    this.elected = elected;
  }

  @Override
  public boolean ifElected(LeaderTask duty, Runnable work) {
    show();
    if (elected.computeIfAbsent(duty, unused -> this) != this) {
      return false;
    }
    work.run();
    return true;
  }

  @Override
  public void resign(LeaderTask duty) {
    show();
    elected.remove(duty, this);
  }

  @Override
  public void show() {
    if (gone) {
      throw RefusedException.unavailable(null);
    }
  }

  /** The node is lost. */
  public void leave() {
    gone = true;
    elected.values().removeIf(node -> node == this);
  }
}
