package io.tokenvault.ports.usecase.memory;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.ports.runtime.MemoryReservation;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that all calls of the API may take together for bodies, tokens and answers: what goes
 * beyond it is refused, and not tried. An eighth is for calls that need a little only, so that
 * those that need much keep nobody else out. Figures are estimates of the most. All threads may
 * share it.
 */
public final class MemoryBudget {

  /** In bytes; what one call may need to count as little. */
  private static final long LITTLE = 64 << 10;

  private static final int SPARED = 8;

  private final long budget;
  private final AtomicLong taken = new AtomicLong();

  /**
   * @param budget in bytes, at least 1
   */
  public MemoryBudget(long budget) {
    if (budget < 1) {
      throw new IllegalArgumentException("at least one byte");
    }
    this.budget = budget;
  }

  /** For one call; has nothing yet. */
  public Share open() {
    return new Share();
  }

  private boolean draw(long bytes, long most) {
    long before = taken.getAndUpdate(now -> bytes <= most - now ? now + bytes : now);
    return bytes <= most - before;
  }

  /** What one call has taken, until it is closed. For one thread. */
  public final class Share implements MemoryReservation, AutoCloseable {

    private long held;

    private Share() {}

    /**
     * @throws RefusedException of cause {@code BODY_TOO_LARGE} if the call would need more than
     *     there is for all, and {@code OVERLOADED} if others have it now
     */
    @Override
    public void take(long bytes) {
      long most = bytes <= LITTLE - held ? budget : budget - budget / SPARED;
      if (bytes > most - held) {
        throw new RefusedException(
            FailureCause.BODY_TOO_LARGE,
            "This takes more memory than the server has for requests; send or ask for less at a"
                + " time.");
      }
      if (!draw(bytes, most)) {
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
