package io.tokenvault.ports.memory;

import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.ports.runtime.LeaderElection;
import io.tokenvault.ports.runtime.LeaderTask;
import java.util.Map;

/** A node in an election among nodes of this process, for tests. */
public final class InMemoryElection implements LeaderElection {

  private final Map<LeaderTask, InMemoryElection> elected;
  private volatile boolean disconnected;

  /**
   * @param elected the elected node of each task; shared by all nodes and thread-safe
   */
  public InMemoryElection(Map<LeaderTask, InMemoryElection> elected) {
    this.elected = elected;
  }

  @Override
  public boolean ifElected(LeaderTask task, Runnable work) {
    keepAlive();
    if (elected.computeIfAbsent(task, unused -> this) != this) {
      return false;
    }
    work.run();
    return true;
  }

  @Override
  public void resign(LeaderTask task) {
    keepAlive();
    elected.remove(task, this);
  }

  @Override
  public void keepAlive() {
    if (disconnected) {
      throw RefusedException.unavailable(null);
    }
  }

  /** Disconnects the node, which loses its tasks. */
  public void leave() {
    disconnected = true;
    elected.values().removeIf(node -> node == this);
  }
}
