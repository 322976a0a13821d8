package io.tokenvault.adapters.jdbi.batch;

import io.tokenvault.domain.failure.RefusedException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A bounded queue of work to write: urgent work, whose callers wait, and deferred work, which joins
 * a batch of urgent work or is written alone after a moment. Work that does not fit is rejected.
 *
 * <p>A statement with its commit costs about ten times as much as one more row in it. Therefore one
 * writer writes while new work collects for its next batch, and a second writer starts only if a
 * write takes long. A writer that has just written a batch and finds few calls waits for more, for
 * at most 2.5 milliseconds, unless that did not help lately: a single client that sends one request
 * after another never waits for others.
 *
 * <p>All methods are safe for use by many threads.
 *
 * @param <W> the work to write
 * @param <R> the result of writing it
 */
final class BatchQueue<W, R> {

  /** Maximum number of calls that wait. */
  private static final int MAX_URGENT = 4096;

  /** Maximum amount of work that is queued without a caller. */
  private static final int MAX_DEFERRED = 10_000;

  /** Time after which deferred work is written alone. */
  private static final long MAX_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** Amount of deferred work that is written without waiting longer. */
  private static final int FULL_DEFERRED = 200;

  /** Maximum number of calls in a batch. */
  private static final int MAX_CALLS = 200;

  /** Maximum number of rows that a batch writes and checks, unless one call has more. */
  private static final int MAX_ROWS = 2000;

  /** Time after which a second writer starts while a batch is being written. */
  private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** Number of calls with which a batch is written without waiting for more. */
  private static final int ENOUGH_CALLS = 10;

  /** Maximum time to wait for more calls. */
  private static final long MAX_WAIT_NANOS = TimeUnit.MICROSECONDS.toNanos(2500);

  /** Time after a batch in which the next one is considered to follow it without a pause. */
  private static final long IMMEDIATE_NANOS = TimeUnit.MICROSECONDS.toNanos(300);

  /** Maximum time that is counted between two batches, so that an idle time has little weight. */
  private static final long MAX_COUNTED_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** Weight of earlier waits, and of the times between them, in the rates of calls. */
  private static final double WEIGHT_OF_EARLIER = 0.75;

  /** Rate of calls during waits, as a share of that between them, from which waiting helps. */
  private static final double USEFUL_SHARE = 0.7;

  /** Maximum number of times in a row that waiting is counted as useless. */
  private static final int MAX_USELESS_WAITS = 9;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Condition turn = lock.newCondition();
  private final Condition enough = lock.newCondition();
  private final Queue<Pending<W, R>> urgent = new ArrayDeque<>();
  private final Queue<Pending<W, R>> deferred = new ArrayDeque<>();
  private long deferredSince;
  private int writing;
  private long writingSince;
  private long writtenAt;

  // Calls and time during waits for more calls and between them, by which waits are judged.
  private long countedUntil = System.nanoTime();
  private boolean waiting;
  private double callsWaiting;
  private double nanosWaiting;
  private double callsBetween;
  private double nanosBetween;
  private int uselessWaits;
  private int waitsToSkip;

  private boolean closed;

  /** Adds work; it is urgent if its caller waits. Returns false if the queue is full or closed. */
  boolean add(Pending<W, R> wanted) {
    Queue<Pending<W, R>> queue = wanted.awaited ? urgent : deferred;
    int max = wanted.awaited ? MAX_URGENT : MAX_DEFERRED;
    lock.lock();
    try {
      if (closed || queue.size() >= max) {
        return false;
      }
      if (queue.isEmpty()) {
        if (queue == deferred) {
          deferredSince = System.nanoTime();
        }
        changed.signal();
      }
      queue.add(wanted);
      if (wanted.awaited) {
        count();
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Counts a call, and ends the wait for more if there are enough. */
  private void count() {
    if (!waiting) {
      callsBetween++;
    } else {
      callsWaiting++;
      if (urgent.size() == ENOUGH_CALLS) {
        enough.signal();
      }
    }
  }

  /**
   * Waits for the next batch and marks its work as sent. The caller must call {@link #written}
   * afterwards, even if writing fails.
   *
   * @return the batch; empty once the queue is closed and drained
   * @throws InterruptedException if the thread is interrupted
   */
  List<Pending<W, R>> take() throws InterruptedException {
    lock.lock();
    try {
      List<Pending<W, R>> batch;
      do {
        awaitWork();
        awaitTurn();
        batch = collect();
      } while (batch.isEmpty() && !(closed && urgent.isEmpty() && deferred.isEmpty()));
      writing++;
      writingSince = System.nanoTime();
      return batch;
    } finally {
      lock.unlock();
    }
  }

  /** Builds a batch. The other writer gets no turn until it is built. */
  private List<Pending<W, R>> collect() throws InterruptedException {
    writing++;
    writingSince = System.nanoTime();
    try {
      awaitMoreCalls();
      return next();
    } finally {
      writing--;
    }
  }

  /** Builds a batch: urgent work first, then as much deferred work as fits. */
  private List<Pending<W, R>> next() {
    List<Pending<W, R>> batch = new ArrayList<>();
    int left = move(urgent, batch, MAX_ROWS);
    move(deferred, batch, left);
    deferredSince = System.nanoTime();
    if (!urgent.isEmpty()) {
      changed.signal();
    }
    return batch;
  }

  /** Ends the writing of a batch that {@link #take} returned, whether it succeeded or not. */
  void written() {
    lock.lock();
    try {
      writing--;
      writtenAt = System.nanoTime();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until there is urgent work, or deferred work that should not wait longer. */
  private void awaitWork() throws InterruptedException {
    while (!closed && urgent.isEmpty()) {
      if (deferred.isEmpty()) {
        changed.await();
      } else {
        long left = deferredSince + MAX_DELAY_NANOS - System.nanoTime();
        if (left <= 0 || deferred.size() >= FULL_DEFERRED) {
          return;
        }
        changed.awaitNanos(left);
      }
    }
  }

  /** Waits for the writer that is writing, which also takes the next batch unless it is slow. */
  private void awaitTurn() throws InterruptedException {
    long left = writingSince + SLOW_NANOS - System.nanoTime();
    while (writing > 0 && left > 0 && !closed) {
      turn.awaitNanos(left);
      left = writingSince + SLOW_NANOS - System.nanoTime();
    }
  }

  /**
   * Waits for more calls if few have arrived since the last batch, unless a recent wait was
   * useless: after each such wait in a row, twice as many batches are written at once. Waiting is
   * useful if calls arrive about as often as otherwise: then their callers are busy elsewhere, and
   * the waiting ones do not hold up the processors. It is useless if most callers are waiting here
   * already.
   */
  private void awaitMoreCalls() throws InterruptedException {
    long start = System.nanoTime();
    nanosBetween += Math.min(start - countedUntil, MAX_COUNTED_NANOS);
    countedUntil = start;
    if (urgent.isEmpty() || urgent.size() >= ENOUGH_CALLS || start - writtenAt > IMMEDIATE_NANOS) {
      return;
    }
    if (waitsToSkip > 0) {
      waitsToSkip--;
      return;
    }
    awaitEnoughCalls();
    countedUntil = System.nanoTime();
    nanosWaiting += countedUntil - start;
    if (callsWaiting / nanosWaiting >= USEFUL_SHARE * callsBetween / nanosBetween) {
      uselessWaits = Math.max(uselessWaits - 2, 0);
    } else {
      uselessWaits = Math.min(uselessWaits + 1, MAX_USELESS_WAITS);
      waitsToSkip = 1 << uselessWaits;
    }
    callsWaiting *= WEIGHT_OF_EARLIER;
    nanosWaiting *= WEIGHT_OF_EARLIER;
    callsBetween *= WEIGHT_OF_EARLIER;
    nanosBetween *= WEIGHT_OF_EARLIER;
  }

  /** Waits for enough calls, for a limited time. */
  private void awaitEnoughCalls() throws InterruptedException {
    waiting = true;
    try {
      long left = MAX_WAIT_NANOS;
      while (left > 0 && urgent.size() < ENOUGH_CALLS && !closed) {
        left = enough.awaitNanos(left);
      }
    } finally {
      waiting = false;
    }
  }

  /**
   * Moves work to a batch up to its limits, and skips withdrawn work. A single call may exceed the
   * limit on rows. Returns the number of rows that are left.
   */
  private int move(Queue<Pending<W, R>> from, List<Pending<W, R>> batch, int rows) {
    int left = rows;
    while (!from.isEmpty()
        && batch.size() < MAX_CALLS
        && (batch.isEmpty() || from.peek().size() <= left)) {
      Pending<W, R> next = from.remove();
      if (next.claim()) {
        batch.add(next);
        left -= next.size();
      }
    }
    return left;
  }

  /** Rejects further work. Queued work is still returned by {@link #take}. */
  void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
      enough.signalAll();
      turn.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * The work of one call on its way into a batch. It is sent or withdrawn, never both, so that a
   * caller that gave up knows whether its work may have been written.
   *
   * @param <W> the work to write
   * @param <R> the result of writing it
   */
  static final class Pending<W, R> {

    private final W work;
    private final int size;
    private final boolean awaited;
    private final AtomicBoolean claimed = new AtomicBoolean();
    private final CompletableFuture<R> outcome = new CompletableFuture<>();

    /**
     * Creates pending work.
     *
     * @param work the work
     * @param size the number of rows that it writes and checks
     * @param awaited whether a caller waits for the result
     */
    Pending(W work, int size, boolean awaited) {
      this.work = work;
      this.size = size;
      this.awaited = awaited;
    }

    W work() {
      return work;
    }

    int size() {
      return size;
    }

    /**
     * Claims the work, for sending it or for withdrawing it. Returns false if the other one has
     * happened.
     */
    boolean claim() {
      return claimed.compareAndSet(false, true);
    }

    void succeed(R result) {
      outcome.complete(result);
    }

    /** Fails the work. Returns whether a caller learns of it, or it had a result already. */
    boolean fail(RuntimeException failure) {
      return !outcome.completeExceptionally(failure) || awaited;
    }

    /**
     * Waits for the result.
     *
     * @param unsent the maximum time until the work is sent; it is withdrawn afterwards
     * @param sent the maximum time to wait further for work that was sent; its outcome is then
     *     unknown
     * @return the result
     * @throws RefusedException as unavailable if there is no result in time
     */
    R await(Duration unsent, Duration sent) {
      try {
        try {
          return outcome.get(unsent.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
          if (claim()) {
            throw RefusedException.unavailable(null);
          }
          return outcome.get(sent.toNanos(), TimeUnit.NANOSECONDS);
        }
      } catch (TimeoutException unknown) {
        throw RefusedException.unavailable(null);
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        throw RefusedException.unavailable(null);
      } catch (ExecutionException failed) {
        throw failure(failed);
      }
    }

    /**
     * Returns the exception to throw. Several calls can fail with one exception, so an unexpected
     * one is wrapped for each of them.
     */
    private static RuntimeException failure(ExecutionException failed) {
      return failed.getCause() instanceof RefusedException refused
          ? refused
          : new IllegalStateException("the entries could not be written", failed.getCause());
    }
  }
}
