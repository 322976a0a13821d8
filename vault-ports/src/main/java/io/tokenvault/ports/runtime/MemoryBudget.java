package io.tokenvault.ports.runtime;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that all API calls may use together for bodies, tokens and responses.
 *
 * <p>A call reserves memory before it reads or decrypts; if that would exceed the budget, it is
 * rejected. An eighth of the budget is available only to calls that need at most 64 KiB, so that
 * large calls cannot block small ones. Amounts are estimated upper bounds. Thread-safe.
 */
public final class MemoryBudget {

  /** The size in bytes up to which a call counts as small. */
  private static final long SMALL = 64 << 10;

  /** The number of parts of the budget; large calls leave one of them to small ones. */
  private static final int PARTS = 8;

  /**
   * The cost of each byte: as a string, as a value, as JSON again, encrypted, on its way to the
   * database, and in the response while it is written.
   */
  private static final int PER_BYTE = 8;

  /** The cost of each item and property; the name of a property counts as another value. */
  private static final int PER_VALUE = 72;

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

  private boolean tryTake(long bytes, long most) {
    long before = taken.getAndUpdate(now -> bytes <= most - now ? now + bytes : now);
    return bytes <= most - before;
  }

  /**
   * Returns an upper bound of the memory for processing a request body, without the body itself.
   * The JSON may be malformed.
   */
  public static long costOfJson(byte[] json) {
    return PER_BYTE * (long) json.length + costOfValues(json);
  }

  /** Returns the cost of the values alone, where their content is counted already. */
  public static long costOfValues(byte[] json) {
    long values = 1;
    boolean inString = false;
    for (int i = 0; i < json.length; i++) {
      byte next = json[i];
      if (inString && next == '\\') {
        i++;
      } else if (next == '"') {
        inString = !inString;
      } else if (!inString && begins(next)) {
        values++;
      }
    }
    return PER_VALUE * values;
  }

  /** Returns whether the byte precedes another value, or begins one that can be empty. */
  private static boolean begins(byte next) {
    return next == ',' || next == ':' || next == '[' || next == '{';
  }

  /** The memory that one call has reserved until the share is closed. Not thread-safe. */
  public final class Share implements MemoryReservation, AutoCloseable {

    private long reserved;

    private Share() {}

    /**
     * Reserves memory for the call.
     *
     * @throws RefusedException with cause {@code BODY_TOO_LARGE} if the call would need more than
     *     the whole budget, and {@code OVERLOADED} if other calls use it now
     */
    @Override
    public void take(long bytes) {
      long most = bytes <= SMALL - reserved ? budget : budget - budget / PARTS;
      if (bytes > most - reserved) {
        throw new RefusedException(
            FailureCause.BODY_TOO_LARGE,
            "The request needs more memory than the server has for requests; send or request less"
                + " at a time.");
      }
      if (!tryTake(bytes, most)) {
        throw new RefusedException(
            FailureCause.OVERLOADED, "The server has no free memory for requests; try again.");
      }
      reserved += bytes;
    }

    @Override
    public void close() {
      taken.addAndGet(-reserved);
      reserved = 0;
    }
  }
}
