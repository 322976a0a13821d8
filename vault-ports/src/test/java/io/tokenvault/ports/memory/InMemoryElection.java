package io.tokenvault.ports.memory;

import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.ports.spi.Duty;
import io.tokenvault.ports.spi.Election;
import java.util.Map;

/** One of the nodes in this process that share the map of who does what; for tests. */
public final class InMemoryElection implements Election {

  private final Map<Duty, InMemoryElection> elected;
  private volatile boolean gone;

  /**
   * @param elected safe for use by several threads
   */
  public InMemoryElection(Map<Duty, InMemoryElection> elected) {
    this.elected = elected;
  }

  @Override
  public boolean ifElected(Duty duty, Runnable work) {
    show();
    if (elected.computeIfAbsent(duty, unused -> this) != this) {
      return false;
    }
    work.run();
    return true;
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
