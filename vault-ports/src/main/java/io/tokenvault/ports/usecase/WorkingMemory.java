package io.tokenvault.ports.usecase;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.ports.spi.Room;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that all calls of the API may take together for bodies, tokens and answers: what goes
 * beyond it is refused, and not tried. Figures are estimates of the most. All threads may share it.
 */
public final class WorkingMemory {

  private final long budget;
  private final AtomicLong taken = new AtomicLong();

  /**
   * @param budget in bytes, at least 1
   */
  public WorkingMemory(long budget) {
    if (budget < 1) {
      throw new IllegalArgumentException("at least one byte");
    }
    this.budget = budget;
  }

  /** For one call; has nothing yet. */
  public Share open() {
    return new Share();
  }

  private boolean draw(long bytes) {
    long before = taken.getAndUpdate(now -> bytes <= budget - now ? now + bytes : now);
    return bytes <= budget - before;
  }

  /** What one call has taken, until it is closed. For one thread. */
  public final class Share implements Room, AutoCloseable {

    private long held;

    private Share() {}

    /**
     * @throws RefusedException of cause {@code BODY_TOO_LARGE} if the call would need more than
     *     there is for all, and {@code OVERLOADED} if others have it now
     */
    @Override
    public void take(long bytes) {
      if (bytes > budget - held) {
        throw new RefusedException(
            FailureCause.BODY_TOO_LARGE,
            "This takes more memory than the server has for requests; send or ask for less at a"
                + " time.");
      }
      if (!draw(bytes)) {
        throw new RefusedException(
            FailureCause.OVERLOADED, "Too much is being worked on in memory; try again.");
      }
      held += bytes;
    }

    @Override
    public void close() {
      taken.addAndGet(-held);
      held = 0;
    }
  }
}
