package io.tokenvault.ports.usecase.memory;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.ports.runtime.MemoryReservation;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that all API calls may use together for bodies, tokens and responses.
 *
 * <p>A call that would exceed it is rejected before it allocates. An eighth of the budget is
 * available only to calls that need at most 64 KiB, so that large calls cannot block small ones.
 * Amounts are estimated upper bounds. Thread-safe.
 */
public final class MemoryBudget {

  /** The size in bytes up to which a call counts as small. */
  private static final long LITTLE = 64 << 10;

  private static final int SPARED = 8;

  private final long budget;
  private final AtomicLong taken = new AtomicLong();

  /**
   * Creates a budget.
   *
   * @param budget in bytes, at least 1
   */
  public MemoryBudget(long budget) {
    if (budget < 1) {
      throw new IllegalArgumentException("at least one byte");
    }
    this.budget = budget;
  }

  /** Returns an empty share of the budget for one call. */
  public Share open() {
    return new Share();
  }

  private boolean draw(long bytes, long most) {
    long before = taken.getAndUpdate(now -> bytes <= most - now ? now + bytes : now);
    return bytes <= most - before;
  }

  /** The memory that one call has reserved until the share is closed. Not thread-safe. */
  public final class Share implements MemoryReservation, AutoCloseable {

    private long held;

    private Share() {}

    /**
     * Reserves memory for the call.
     *
     * @throws RefusedException with cause {@code BODY_TOO_LARGE} if the call would need more than
     *     the whole budget, and {@code OVERLOADED} if other calls use it now
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
