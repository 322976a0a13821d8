package io.tokenvault.engine;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import java.util.concurrent.atomic.AtomicLong;

/** The memory that all bodies held at the same time may take. */
final class HeldBodies {

  private final AtomicLong free;

  /**
   * @param budget in bytes
   */
  HeldBodies(long budget) {
    this.free = new AtomicLong(budget);
  }

  Reservation open() {
    return new Reservation();
  }

  /** What one invocation holds. For one thread. */
  final class Reservation implements AutoCloseable {

    private long held;

    /**
     * @throws RefusedException if there is not that much left
     */
    void take(long bytes) {
      if (free.addAndGet(-bytes) < 0) {
        free.addAndGet(bytes);
        throw new RefusedException(
            FailureCause.OVERLOADED, "Too many request bodies are being held; try again.");
      }
      held += bytes;
    }

    @Override
    public void close() {
      free.addAndGet(held);
      held = 0;
    }
  }
}
