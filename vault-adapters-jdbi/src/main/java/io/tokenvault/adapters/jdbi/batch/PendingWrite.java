package io.tokenvault.adapters.jdbi.batch;

import io.tokenvault.domain.failure.RefusedException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The work of one call on its way into a batch. It is sent or withdrawn, never both.
 *
 * @param <W> what is to be written
 * @param <R> what becomes of it
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
   * @param size how many rows it writes and looks at
   * @param awaited whether somebody waits for what becomes of it
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

  /** For whoever is about to send it; false if it was withdrawn. */
  boolean send() {
    return state.compareAndSet(State.WAITING, State.SENT);
  }

  private boolean withdraw() {
    return state.compareAndSet(State.WAITING, State.WITHDRAWN);
  }

  void succeed(R result) {
    outcome.complete(result);
  }

  /** Returns whether somebody waits to hear of it, or what became of it was said before. */
  boolean fail(RuntimeException failure) {
    return !outcome.completeExceptionally(failure) || awaited;
  }

  /**
   * What became of it.
   *
   * @param unsent how long to wait for it to be sent; then it is withdrawn
   * @param sent how much longer to wait for the answer; nobody knows what becomes of it then
   * @throws RefusedException as unavailable, if there was no answer in time
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

  private static RuntimeException interrupted() {
    Thread.currentThread().interrupt();
    return RefusedException.unavailable(null);
  }

  /** Several calls can fail with one exception. */
  private static RuntimeException failure(ExecutionException failed) {
    return failed.getCause() instanceof RefusedException refused
        ? refused
        : new IllegalStateException("what was sent could not be written", failed.getCause());
  }
}
