package io.tokenvault.adapters.jdbi.batch;

import io.tokenvault.domain.failure.RefusedException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The work of one call on its way into a batch. It is sent or withdrawn, never both, so that a
 * caller that gave up knows whether its work may have been written.
 *
 * @param <W> the work to write
 * @param <R> the result of writing it
 */
final class PendingWrite<W, R> {

  private enum State {
    WAITING,
    SENT,
    WITHDRAWN
  }

  private final W work;
  private final int size;
  private final boolean awaited;
  private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
  private final CompletableFuture<R> outcome = new CompletableFuture<>();

  /**
   * Creates pending work.
   *
   * @param work the work
   * @param size the number of rows that it writes and checks
   * @param awaited whether a caller waits for the result
   */
  PendingWrite(W work, int size, boolean awaited) {
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

  /** Marks the work as sent. Returns false if its caller has withdrawn it. */
  boolean send() {
    return state.compareAndSet(State.WAITING, State.SENT);
  }

  /** Withdraws the work. Returns false if it was sent. */
  private boolean withdraw() {
    return state.compareAndSet(State.WAITING, State.WITHDRAWN);
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
      return outcome.get(unsent.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException late) {
      if (withdraw()) {
        throw RefusedException.unavailable(null);
      }
      return awaitAnswer(sent);
    } catch (InterruptedException interrupted) {
      throw interrupted();
    } catch (ExecutionException failed) {
      throw failure(failed);
    }
  }

  /** Waits for the result of work that was sent. */
  private R awaitAnswer(Duration limit) {
    try {
      return outcome.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException unknown) {
      throw RefusedException.unavailable(null);
    } catch (InterruptedException interrupted) {
      throw interrupted();
    } catch (ExecutionException failed) {
      throw failure(failed);
    }
  }

  /** Sets the thread's interrupt flag again and returns the exception to throw. */
  private static RuntimeException interrupted() {
    Thread.currentThread().interrupt();
    return RefusedException.unavailable(null);
  }

  /**
   * Returns the exception to throw. Several calls can fail with one exception, so an unexpected one
   * is wrapped for each of them.
   */
  private static RuntimeException failure(ExecutionException failed) {
    return failed.getCause() instanceof RefusedException refused
        ? refused
        : new IllegalStateException("what was sent could not be written", failed.getCause());
  }
}
