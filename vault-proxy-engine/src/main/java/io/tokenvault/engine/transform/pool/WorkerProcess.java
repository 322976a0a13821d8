package io.tokenvault.engine.transform.pool;

import io.tokenvault.engine.timeout.TimeLimit;
import io.tokenvault.engine.transform.isolation.IsolatedProgram;
import io.tokenvault.engine.transform.isolation.IsolatedProgram.UnusableProgramException;
import io.tokenvault.engine.transform.isolation.WorkerProgram;
import io.tokenvault.engine.transform.pool.PoolSettings.WorkerSettings;
import io.tokenvault.engine.transform.pool.WorkerFailedException.WorkerFailure;
import io.tokenvault.engine.wire.FromWorker;
import io.tokenvault.engine.wire.MessageCodec;
import io.tokenvault.engine.wire.ToWorker;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * A worker process and the pipes to it.
 *
 * <p>One thread at a time exchanges messages with it; any thread may end it. Every failure,
 * including a response that is not a valid message, ends the process.
 */
public final class WorkerProcess implements AutoCloseable {

  /** The exit code of a JVM with {@code ExitOnOutOfMemoryError}. */
  private static final int OUT_OF_MEMORY = 3;

  /** The wait for the exit code after the end of the stream. */
  private static final int LAST_MOMENTS_SECONDS = 10;

  private final Process process;
  private final InputStream from;
  private final OutputStream to;
  private final WorkerThreads threads;

  /** The first reason to end the process; null while it may be used. */
  private final AtomicReference<WorkerFailure> ended = new AtomicReference<>();

  /** The process that runs the worker, inside of the isolating ones; known once it is ready. */
  private volatile Optional<ProcessHandle> innermost = Optional.empty();

  /** Wraps a process that has been started. */
  public WorkerProcess(Process process, WorkerThreads threads) {
    this.process = process;
    this.from = process.getInputStream();
    this.to = process.getOutputStream();
    this.threads = threads;
  }

  /**
   * Sends the first message and waits until the worker is ready.
   *
   * @param limit the time after which the worker is killed
   * @throws WorkerFailedException if it does not become ready
   */
  public void begin(ToWorker.Begin begin, Duration limit) throws WorkerFailedException {
    if (!(exchange(List.of(begin), CallBudget.NONE, limit) instanceof FromWorker.Ready)) {
      throw failed(WorkerFailure.DIED);
    }
    innermost = Optional.of(WorkerProgram.innermost(process));
  }

  /**
   * Sends messages and waits for the response to the last one. Calls and required modules in the
   * meantime are served.
   *
   * @param messages the messages, of which only the last one has a response
   * @param limit the time after which the worker is killed
   * @return the first message that neither calls nor requires anything; its type is not checked
   * @throws WorkerFailedException if there is no response; the process has then been ended
   */
  public FromWorker exchange(List<ToWorker> messages, CallBudget calls, Duration limit)
      throws WorkerFailedException {
    CallDispatcher dispatcher = new CallDispatcher(to, calls, threads, limit);
    FromWorker response = null;
    TimeLimit timer = TimeLimit.of(() -> end(WorkerFailure.TIMED_OUT));
    try {
      timer.start(limit);
      send(messages, dispatcher);
      response = receive(dispatcher);
      return response;
    } finally {
      if (response == null) {
        close();
      }
      // A reply that is being written to a worker that does not read ends with the time limit.
      dispatcher.end();
      timer.close();
    }
  }

  /**
   * Sends the messages. Unexpected bytes that wait in the pipe end the worker, since they could be
   * taken for the response.
   */
  private void send(List<ToWorker> messages, CallDispatcher dispatcher)
      throws WorkerFailedException {
    try {
      if (from.available() > 0) {
        throw failed(WorkerFailure.DIED);
      }
      for (ToWorker message : messages) {
        dispatcher.send(message);
      }
    } catch (IOException e) {
      throw failed(exitFailure());
    }
  }

  /** Reads messages until one is the response. */
  private FromWorker receive(CallDispatcher dispatcher) throws WorkerFailedException {
    try {
      FromWorker message = MessageCodec.readFromWorker(from);
      while (true) {
        if (message instanceof FromWorker.Call call) {
          dispatcher.take(call);
        } else if (message instanceof FromWorker.Require require) {
          dispatcher.provide(require);
        } else {
          return message;
        }
        message = MessageCodec.readFromWorker(from);
      }
    } catch (EOFException e) {
      throw failed(exitFailure());
    } catch (IOException e) {
      throw failed(WorkerFailure.DIED);
    } catch (TimeoutException e) {
      throw failed(WorkerFailure.TIMED_OUT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failed(WorkerFailure.STOPPED);
    }
  }

  /** Returns why the process ended. The stream ends a moment before the process does. */
  private WorkerFailure exitFailure() {
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

  /**
   * Ends the process and returns the failure to throw: the first reason if the process had been
   * ended before, otherwise the given one.
   */
  WorkerFailedException failed(WorkerFailure seen) {
    WorkerFailure known = ended.get();
    close();
    return new WorkerFailedException(known == null ? seen : known);
  }

  /** Kills the process; only the first reason is recorded. */
  private void end(WorkerFailure reason) {
    if (ended.compareAndSet(null, reason)) {
      innermost().destroyForcibly();
    }
  }

  /**
   * Returns the process to kill; the processes around it end with it.
   *
   * <p>Killing the outer one first would leave the inner one to the init process, and a container
   * whose first process is this server has none that reaps it.
   */
  private ProcessHandle innermost() {
    return innermost.orElseGet(() -> WorkerProgram.innermost(process));
  }

  boolean isAlive() {
    return ended.get() == null && process.isAlive();
  }

  /** Returns the exit status of the process; "unknown" while it runs. */
  String exitStatus() {
    return process.isAlive() ? "unknown" : Integer.toString(process.exitValue());
  }

  ProcessHandle handle() {
    return process.toHandle();
  }

  /** Returns a future that completes when the process has ended, for any reason. */
  CompletableFuture<Process> onEnd() {
    return process.onExit();
  }

  /** Waits for the end of the process, which is killed if it takes longer than the limit. */
  void awaitEnd(Duration limit) throws InterruptedException {
    if (!process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS)) {
      process.toHandle().destroyForcibly();
    }
  }

  /** Kills the process without waiting for its end. Has no effect if repeated. */
  @Override
  public void close() {
    end(WorkerFailure.STOPPED);
  }

  /**
   * Starter of the workers of a pool.
   *
   * @param isolated supplies the program that every worker runs and its isolation, when the first
   *     worker starts
   * @param begin the first message to every worker
   */
  public record WorkerLauncher(Supplier<IsolatedProgram.Found> isolated, ToWorker.Begin begin) {

    /**
     * Starts an isolated worker process, which is not ready yet.
     *
     * @throws IOException if the operating system does not start it
     * @throws IsolatedProgram.UnusableProgramException if the program cannot be run
     */
    public Process start(WorkerSettings settings) throws IOException {
      IsolatedProgram.Found found = isolated.get();
      WorkerProgram program = found.program();
      return WorkerProgram.start(
          found
              .isolation()
              .command(program, program.command(settings.flags(), program.mainClass(), List.of())));
    }
  }

  /** Failed start of a worker. Its message contains no data. */
  static final class StartFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Creates the failure of the operating system to start a process; quotes its error number. */
    StartFailedException(IOException refused) {
      super(
          "the operating system did not start its process"
              + String.valueOf(refused.getMessage())
                  .replaceFirst("(?s)^.*?((: error=.*)|$)", "$1"));
    }

    /** Creates the failure of a process to become ready. */
    StartFailedException(WorkerFailure failure, WorkerProcess process) {
      super(
          switch (failure) {
            case TIMED_OUT -> "it was not ready in time";
            case OUT_OF_MEMORY -> "it ran out of memory";
            default -> "its process ended with status " + process.exitStatus();
          });
    }

    /**
     * Describes a failed start for the log; the message of an unexpected exception is omitted.
     *
     * @param failure null if the worker became ready, and ended then
     */
    static String describe(Throwable failure) {
      if (failure == null) {
        return "its process ended";
      }
      Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
      return cause instanceof StartFailedException || cause instanceof UnusableProgramException
          ? cause.getMessage()
          : cause.getClass().getName();
    }
  }
}
