package io.tokenvault.engine.transform.pool;

import io.tokenvault.engine.transform.isolation.IsolatedProgram.UnusableProgramException;
import io.tokenvault.engine.transform.pool.WorkerFailedException.WorkerFailure;
import java.io.IOException;
import java.util.concurrent.CompletionException;

/** Failed start of a worker. Its message contains no data. */
final class StartFailedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Creates the failure of the operating system to start a process; quotes its error number. */
  StartFailedException(IOException refused) {
    super(
        "the operating system did not start its process"
            + String.valueOf(refused.getMessage()).replaceFirst("(?s)^.*?((: error=.*)|$)", "$1"));
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
