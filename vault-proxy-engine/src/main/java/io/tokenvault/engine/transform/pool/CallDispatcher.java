package io.tokenvault.engine.transform.pool;

import io.tokenvault.engine.wire.FromWorker;
import io.tokenvault.engine.wire.MessageCodec;
import io.tokenvault.engine.wire.ToWorker;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Dispatcher of the calls, required modules and replies of one invocation.
 *
 * <p>A few calls are served at once and a bounded amount waits in memory, so that the end of the
 * invocation, which follows them in the pipe, is read without delay. Further calls remain in the
 * pipe. Replies after the end are dropped, and calls that still wait then are not made.
 */
final class CallDispatcher {

  /** The greatest number of calls in progress per invocation. */
  static final int CALLS_AT_ONCE = 8;

  /** The greatest length of one call: a body of 10 MiB fits in Base64. */
  private static final int LONGEST_CALL = 16 * 1024 * 1024;

  /** The greatest total length of the waiting calls, in characters. */
  private static final int MOST_WAITING = 2 * LONGEST_CALL;

  private static final String FAILED =
      "{\"status\":500,\"title\":\"Internal error\",\"detail\":\"The call failed.\",\"errors\":{}}";
  private static final Logger log = LoggerFactory.getLogger(CallDispatcher.class);

  private final OutputStream to;
  private final CallBudget budget;
  private final WorkerThreads threads;
  private final long deadline;
  private final Deque<FromWorker.Call> waiting = new ArrayDeque<>();
  private long waitingLength;
  private int working;

  /** Whether the worker waits for a module. */
  private final AtomicBoolean providing = new AtomicBoolean();

  private int calls;

  /** Guarded by the lock on {@code to}, as all writes are. */
  private boolean ended;

  CallDispatcher(OutputStream to, CallBudget budget, WorkerThreads threads, Duration limit) {
    this.to = to;
    this.budget = budget;
    this.threads = threads;
    this.deadline = System.nanoTime() + limit.toNanos();
  }

  /** Writes a message to the worker, unless the invocation has ended. */
  void send(ToWorker message) throws IOException {
    synchronized (to) {
      if (!ended) {
        MessageCodec.write(to, message);
      }
    }
  }

  /**
   * Serves a call as soon as a thread is free for it; blocks while too many calls wait.
   *
   * @throws IOException if the worker exceeds its budget
   * @throws TimeoutException if the deadline expires while earlier calls are in progress
   */
  void take(FromWorker.Call call) throws IOException, TimeoutException, InterruptedException {
    if (++calls > budget.most() || call.json().length() > LONGEST_CALL) {
      throw new IOException("a worker exceeded its call limit");
    }
    if (mayServeNow(call)) {
      serve(call);
    }
  }

  /**
   * Provides a module on a thread of the pool.
   *
   * @throws IOException if the worker did not wait for the previous one, or if no thread is free
   */
  void provide(FromWorker.Require require) throws IOException {
    if (!providing.compareAndSet(false, true)) {
      throw new IOException("a worker asked for two modules at once");
    }
    try {
      threads.call(() -> provided(require));
    } catch (RejectedExecutionException e) {
      throw new IOException("no thread is free to provide a module", e);
    }
  }

  private void provided(FromWorker.Require require) {
    ToWorker.Provided module;
    try {
      module = budget.modules().provide(require);
    } catch (RuntimeException e) {
      log.error("A module could not be provided: {}", e.getClass().getName());
      module = new ToWorker.Provided(Optional.empty(), false);
    }
    providing.set(false);
    try {
      send(module);
    } catch (IOException e) {
      log.debug("a worker ended before its module was provided");
    }
  }

  /** Returns whether to serve the call now; otherwise the call has been queued. */
  private boolean mayServeNow(FromWorker.Call call) throws TimeoutException, InterruptedException {
    synchronized (waiting) {
      if (working < CALLS_AT_ONCE) {
        working++;
        return true;
      }
      while (!waiting.isEmpty() && waitingLength + call.json().length() > MOST_WAITING) {
        awaitCapacity();
      }
      waiting.add(call);
      waitingLength += call.json().length();
      return false;
    }
  }

  /** Waits until a call leaves the queue or the deadline expires. */
  private void awaitCapacity() throws TimeoutException, InterruptedException {
    long left = deadline - System.nanoTime();
    if (left <= 0) {
      throw new TimeoutException("the calls of a worker did not complete in time");
    }
    TimeUnit.NANOSECONDS.timedWait(waiting, left);
  }

  /** Serves a call on a thread of the pool; if none is free, the call fails. */
  private void serve(FromWorker.Call call) throws IOException {
    try {
      threads.call(() -> serveAll(call));
    } catch (RejectedExecutionException e) {
      synchronized (waiting) {
        working--;
      }
      send(new ToWorker.Reply(call.callId(), false, FAILED));
    }
  }

  /** Serves a call and then the waiting ones, one after the other. */
  private void serveAll(FromWorker.Call first) {
    Optional<FromWorker.Call> call = Optional.of(first);
    while (call.isPresent()) {
      replyTo(call.get());
      call = next();
    }
  }

  private Optional<FromWorker.Call> next() {
    synchronized (waiting) {
      FromWorker.Call next = waiting.poll();
      if (next == null) {
        working--;
        return Optional.empty();
      }
      waitingLength -= next.json().length();
      waiting.notifyAll();
      return Optional.of(next);
    }
  }

  private void replyTo(FromWorker.Call call) {
    try {
      send(reply(call));
    } catch (IOException e) {
      log.debug("a worker ended before its call completed");
    }
  }

  /**
   * Returns the reply to a call. The text of an unexpected exception is not passed on, since it
   * could contain data.
   */
  private ToWorker.Reply reply(FromWorker.Call call) {
    try {
      return budget.handler().handle(call);
    } catch (RuntimeException e) {
      log.error("A call from a transform failed: {}", e.getClass().getName());
      return new ToWorker.Reply(call.callId(), false, FAILED);
    }
  }

  /**
   * Ends the invocation: drops late replies and waiting calls.
   *
   * <p>A reply that is being written to a worker that does not read holds the lock; the deadline
   * kills that worker and so releases it.
   */
  void end() {
    synchronized (to) {
      ended = true;
    }
    synchronized (waiting) {
      waiting.clear();
      waitingLength = 0;
    }
  }
}
