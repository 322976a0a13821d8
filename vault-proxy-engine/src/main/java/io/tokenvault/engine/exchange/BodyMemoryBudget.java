package io.tokenvault.engine.exchange;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.engine.expression.template.WorkMemory;
import io.tokenvault.ports.runtime.MemoryReservation;

/**
 * Budget of memory for all bodies that are buffered at one time, for the work on their expressions,
 * and for the tokens that they name.
 *
 * <p>Work on a body needs several times the memory of the body, possibly more than the whole
 * budget. One invocation at a time may therefore exceed the budget for its work, but not for the
 * tokens that it loads. A request that is alone always completes its work.
 *
 * <p>All threads share one instance. Each invocation opens a {@link Reservation} and closes it at
 * its end:
 *
 * <pre>{@code
 * try (BodyMemoryBudget.Reservation memory = budget.open()) {
 *   memory.hold(chunk.length);
 * }
 * }</pre>
 */
public final class BodyMemoryBudget {

  /** Bytes that an invocation may load as work in the part of the budget that is left to others. */
  private static final long MAX_LENT_BYTES = 1 << 20;

  /** Divisor of the share of the budget (an eighth) that loading leaves to small requests. */
  private static final int SPARED = 8;

  private final long budget;
  private long free;
  private boolean overdrawn;

  /**
   * Creates a budget of which nothing is reserved.
   *
   * @param budget in bytes
   */
  public BodyMemoryBudget(long budget) {
    this.budget = budget;
    this.free = budget;
  }

  public Reservation open() {
    return new Reservation();
  }

  /**
   * Reserves bytes if they are free.
   *
   * @param spared bytes that must remain free for others
   */
  private synchronized boolean draw(long bytes, long spared) {
    if (bytes > free - spared) {
      return false;
    }
    free -= bytes;
    return true;
  }

  /** Grants the right to exceed the budget, which one reservation has at a time. */
  private synchronized boolean overdraw() {
    boolean granted = !overdrawn;
    overdrawn = true;
    return granted;
  }

  /** Releases bytes, and the right to exceed the budget if the reservation had it. */
  private synchronized void release(long bytes, boolean withOverdraft) {
    free += bytes;
    overdrawn &= !withOverdraft;
  }

  private static RefusedException overloaded() {
    return new RefusedException(
        FailureCause.OVERLOADED, "Too many request bodies are in memory; try again.");
  }

  private static RefusedException tooLarge() {
    return new RefusedException(
        FailureCause.BODY_TOO_LARGE,
        "The request needs more memory than the server has for requests; send less or name fewer"
            + " tokens.");
  }

  /** Memory reserved for one invocation. Not thread-safe: each thread opens its own. */
  public final class Reservation implements AutoCloseable, WorkMemory, MemoryReservation {

    private long reserved;
    private long work;
    private long lentBytes;
    private boolean overdrawing;

    /**
     * Reserves memory for a part of a body.
     *
     * @throws RefusedException of cause {@code OVERLOADED} if the budget has not that much left
     */
    public void hold(long bytes) {
      if (!draw(bytes, 0)) {
        throw overloaded();
      }
      reserved += bytes;
    }

    /**
     * Reserves memory for token data that is about to be loaded; released at the end of the work.
     * Loading leaves an eighth of the budget to other invocations, except for up to 1 MiB, which is
     * granted like memory for work.
     *
     * @throws RefusedException of cause {@code BODY_TOO_LARGE} if one invocation can never have
     *     that much, and {@code OVERLOADED} if other invocations occupy it now
     */
    @Override
    public void take(long bytes) {
      long spared = budget / SPARED;
      if (draw(bytes, spared)) {
        work += bytes;
      } else if (bytes <= MAX_LENT_BYTES - lentBytes) {
        reserve(bytes);
        lentBytes += bytes;
      } else {
        throw bytes > budget - spared - reserved - work ? tooLarge() : overloaded();
      }
    }

    /**
     * Reserves memory for the work on a body. One invocation at a time is granted it even if the
     * budget has not that much left.
     *
     * @throws RefusedException of cause {@code OVERLOADED} if another invocation exceeds the budget
     */
    @Override
    public void reserve(long bytes) {
      if (draw(bytes, 0)) {
        work += bytes;
      } else if (!overdrawing) {
        overdrawing = overdraw();
        if (!overdrawing) {
          throw overloaded();
        }
      }
    }

    /** Ends the work and keeps the memory of the buffered body. */
    public void endWork() {
      endWorkWith(reserved);
    }

    /**
     * Ends the work and keeps memory for a body of this length. If the budget has not that much
     * left, the invocation continues to exceed it as it did for the work.
     *
     * @param length in bytes
     */
    public void endWorkWith(long length) {
      synchronized (BodyMemoryBudget.this) {
        release(reserved + work, false);
        clear();
        if (draw(length, 0)) {
          release(0, overdrawing);
          overdrawing = false;
          reserved = length;
        }
      }
    }

    /**
     * Transfers everything reserved here to another reservation, which may outlive this one.
     *
     * @param recipient an empty reservation of the same budget
     */
    public void transferTo(Reservation recipient) {
      recipient.reserved = reserved;
      recipient.work = work;
      recipient.lentBytes = lentBytes;
      recipient.overdrawing = overdrawing;
      clear();
      overdrawing = false;
    }

    private void clear() {
      reserved = 0;
      work = 0;
      lentBytes = 0;
    }

    /** Opens a reservation of the same budget, for use on another thread. */
    public Reservation openAnother() {
      return open();
    }

    /** Releases everything. Closing again has no effect. */
    @Override
    public void close() {
      release(reserved + work, overdrawing);
      clear();
      overdrawing = false;
    }
  }
}
