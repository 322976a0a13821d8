package io.tokenvault.engine.exchange;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.engine.expression.text.WorkMemory;
import io.tokenvault.ports.runtime.MemoryReservation;

/**
 * The memory that all bodies held at the same time may take, with the work on their expressions and
 * the tokens that they name. That work needs several times as much as a body, and may need more
 * than there is: so one invocation at a time may go beyond the budget with it, but for what is
 * loaded. A request alone always gets its work done.
 */
public final class BodyMemoryBudget {

  /** In bytes; what is loaded up to that counts as work. */
  private static final long LITTLE = 1 << 20;

  /** What is loaded leaves an eighth of the budget to requests that need a little. */
  private static final int SPARED = 8;

  private final long budget;
  private long free;
  private boolean overdrawn;

  /**
   * @param budget in bytes
   */
  public BodyMemoryBudget(long budget) {
    this.budget = budget;
    this.free = budget;
  }

  public Reservation open() {
    return new Reservation();
  }

  private boolean draw(long bytes) {
    return draw(bytes, 0);
  }

  /**
   * @param spared is left to others
   */
  private synchronized boolean draw(long bytes, long spared) {
    if (bytes > free - spared) {
      return false;
    }
    free -= bytes;
    return true;
  }

  private synchronized boolean overdraw() {
    boolean granted = !overdrawn;
    overdrawn = true;
    return granted;
  }

  private synchronized void giveBack(long bytes, boolean withOverdraft) {
    free += bytes;
    overdrawn &= !withOverdraft;
  }

  private static RefusedException overloaded() {
    return new RefusedException(
        FailureCause.OVERLOADED, "Too many request bodies are being held; try again.");
  }

  private static RefusedException tooLarge() {
    return new RefusedException(
        FailureCause.BODY_TOO_LARGE,
        "This takes more memory than the server has for requests; send or name less at a time.");
  }

  /** What one invocation holds. For one thread. */
  public final class Reservation implements AutoCloseable, WorkMemory, MemoryReservation {

    private long held;
    private long work;
    private long lent;
    private boolean overdrawing;

    /**
     * For a part of a body.
     *
     * @throws RefusedException if there is not that much left
     */
    public void hold(long bytes) {
      if (!draw(bytes)) {
        throw overloaded();
      }
      held += bytes;
    }

    /**
     * For what is about to be loaded; given back with the work. Who goes beyond the budget gets a
     * little of it.
     *
     * @throws RefusedException of cause {@code BODY_TOO_LARGE} if there is never that much for one
     *     invocation, and {@code OVERLOADED} if others have it now
     */
    @Override
    public void take(long bytes) {
      long spared = budget / SPARED;
      if (draw(bytes, spared)) {
        work += bytes;
      } else if (bytes <= LITTLE - lent) {
        reserve(bytes);
        lent += bytes;
      } else {
        throw bytes > budget - spared - held - work ? tooLarge() : overloaded();
      }
    }

    /**
     * For the work on the body; one invocation at a time gets it even if there is not that much.
     */
    @Override
    public void reserve(long bytes) {
      if (draw(bytes)) {
        work += bytes;
      } else if (!overdrawing) {
        overdrawing = overdraw();
        if (!overdrawing) {
          throw overloaded();
        }
      }
    }

    /** The work is done, and what was taken is still held. */
    public void endWork() {
      endWorkWith(held);
    }

    /**
     * The work is done, and a body of this length is all that is still held. If there is not that
     * much, the invocation goes on beyond the budget as it did for the work.
     */
    public void endWorkWith(long length) {
      synchronized (BodyMemoryBudget.this) {
        giveBack(held + work, false);
        held = 0;
        work = 0;
        lent = 0;
        if (draw(length)) {
          giveBack(0, overdrawing);
          overdrawing = false;
          held = length;
        }
      }
    }

    /**
     * All that this one holds passes to another, which may outlive it.
     *
     * @param heir of the same budget; holds nothing yet
     */
    public void handOver(Reservation heir) {
      heir.held = held;
      heir.work = work;
      heir.lent = lent;
      heir.overdrawing = overdrawing;
      held = 0;
      work = 0;
      lent = 0;
      overdrawing = false;
    }

    /** Of the same budget, for another thread. */
    public Reservation openAnother() {
      return open();
    }

    @Override
    public void close() {
      giveBack(held + work, overdrawing);
      held = 0;
      work = 0;
      lent = 0;
      overdrawing = false;
    }
  }
}
