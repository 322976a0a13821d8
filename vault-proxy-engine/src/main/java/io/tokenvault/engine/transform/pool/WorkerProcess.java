package io.tokenvault.engine.transform.pool;

import io.tokenvault.engine.transform.isolation.PipedProcess;
import io.tokenvault.engine.wire.FromWorker;
import io.tokenvault.engine.wire.Messages;
import io.tokenvault.engine.wire.ToWorker;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A worker, and the pipes to it. It is talked to by one thread at a time, and may be ended by any.
 * Whatever goes wrong, including an answer that is none, is its end.
 */
public final class WorkerProcess implements AutoCloseable {

  private static final int OUT_OF_MEMORY = 3;
  private static final int LAST_MOMENTS_SECONDS = 10;

  private final Process process;
  private final InputStream from;
  private final OutputStream to;
  private final WorkerThreads threads;
  private final AtomicReference<WorkerFailure> ended = new AtomicReference<>();
  private volatile Optional<ProcessHandle> innermost = Optional.empty();

  public WorkerProcess(Process process, WorkerThreads threads) {
    this.process = process;
    this.from = process.getInputStream();
    this.to = process.getOutputStream();
    this.threads = threads;
  }

  /** Says the first message and waits until the worker is ready. */
  public void begin(ToWorker.Begin begin, Duration limit) throws WorkerFailedException {
    if (!(exchange(List.of(begin), CallBudget.NONE, limit) instanceof FromWorker.Ready)) {
      throw failed(WorkerFailure.DIED);
    }
    innermost = Optional.of(PipedProcess.innermost(process));
  }

  /**
   * Sends messages, of which the last is answered, and waits for the answer. What the script calls
   * for meanwhile is answered by the handler.
   *
   * @param limit after which the worker is killed
   */
  public FromWorker exchange(List<ToWorker> messages, CallBudget calls, Duration limit)
      throws WorkerFailedException {
    CallDispatcher conversation = new CallDispatcher(to, calls, threads, limit);
    FromWorker answer = null;
    Future<?> deadline = deadline(limit);
    try {
      say(messages, conversation);
      answer = answer(conversation);
      return answer;
    } finally {
      if (answer == null) {
        close();
      }
      conversation.end();
      deadline.cancel(false);
    }
  }

  private Future<?> deadline(Duration limit) throws WorkerFailedException {
    try {
      return threads.later(limit, () -> end(WorkerFailure.TIMED_OUT));
    } catch (RejectedExecutionException e) {
      throw failed(WorkerFailure.STOPPED);
    }
  }

  private void say(List<ToWorker> messages, CallDispatcher conversation)
      throws WorkerFailedException {
    try {
      if (from.available() > 0) {
        throw failed(WorkerFailure.DIED);
      }
      for (ToWorker message : messages) {
        conversation.say(message);
      }
    } catch (IOException e) {
      throw failed(howItEnded());
    }
  }

  private FromWorker answer(CallDispatcher conversation) throws WorkerFailedException {
    try {
      FromWorker message = Messages.readFromWorker(from);
      while (message instanceof FromWorker.Call call) {
        conversation.take(call);
        message = Messages.readFromWorker(from);
      }
      return message;
    } catch (EOFException e) {
      throw failed(howItEnded());
    } catch (IOException e) {
      throw failed(WorkerFailure.DIED);
    } catch (TimeoutException e) {
      throw failed(WorkerFailure.TIMED_OUT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failed(WorkerFailure.STOPPED);
    }
  }

  /** The end of a stream comes a moment before the end of the process. */
  private WorkerFailure howItEnded() {
    try {
      return process.waitFor(LAST_MOMENTS_SECONDS, TimeUnit.SECONDS)
              && process.exitValue() == OUT_OF_MEMORY
          ? WorkerFailure.OUT_OF_MEMORY
          : WorkerFailure.DIED;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return WorkerFailure.STOPPED;
    }
  }

  /** Nothing is said to it any more. */
  WorkerFailedException failed(WorkerFailure seen) {
    WorkerFailure known = ended.get();
    close();
    return new WorkerFailedException(known == null ? seen : known);
  }

  private void end(WorkerFailure reason) {
    if (ended.compareAndSet(null, reason)) {
      innermost().destroyForcibly();
    }
  }

  /**
   * What is around the innermost process ends with it. The other way round, the innermost would be
   * left to the system to clear away, which does not happen in a container whose first process is
   * this one.
   */
  private ProcessHandle innermost() {
    return innermost.orElseGet(() -> PipedProcess.innermost(process));
  }

  boolean isAlive() {
    return ended.get() == null && process.isAlive();
  }

  ProcessHandle handle() {
    return process.toHandle();
  }

  /** Done when the process has ended, for whatever reason. */
  CompletableFuture<Process> onEnd() {
    return process.onExit();
  }

  void awaitEnd(Duration limit) throws InterruptedException {
    if (!process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS)) {
      process.toHandle().destroyForcibly();
    }
  }

  /** Ends it at once, without waiting for the end. */
  @Override
  public void close() {
    end(WorkerFailure.STOPPED);
  }
}
