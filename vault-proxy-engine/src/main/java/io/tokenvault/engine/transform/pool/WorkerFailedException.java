package io.tokenvault.engine.transform.pool;

import java.util.Objects;

/**
 * Failure of a worker to give a result.
 *
 * <p>It says nothing about the script itself: errors that a worker reports are results. The {@link
 * WorkerFailure} is the reason.
 */
public final class WorkerFailedException extends Exception {

  private static final long serialVersionUID = 1L;

  private final WorkerFailure failure;

  /**
   * Creates a failure.
   *
   * @param failure the reason, which is also the message
   */
  public WorkerFailedException(WorkerFailure failure) {
    super("no result from a transform worker: " + failure);
    this.failure = Objects.requireNonNull(failure, "failure");
  }

  /** Returns the reason why there is no result. */
  public WorkerFailure failure() {
    return failure;
  }

  /** Reason why a worker gave no result, as seen by the server. */
  public enum WorkerFailure {
    /** The worker was still running at the deadline, and was killed. */
    TIMED_OUT,
    /** The worker exceeded its CPU time limit while compiling, and ended. */
    OUT_OF_CPU_TIME,
    /** The worker ran out of memory. */
    OUT_OF_MEMORY,
    /** The worker ended in another way, or was killed because it wrote an invalid response. */
    DIED,
    /**
     * All workers are busy, and the queue is full or the wait was too long. Nothing was started.
     */
    BUSY,
    /** No worker can be started. No task was started. */
    CANNOT_START,
    /** The pool is closed, or the caller's thread was interrupted. */
    STOPPED,
    /** This vault runs no transforms. */
    OFF;

    /** Returns whether the worker exceeded a time limit. */
    public boolean isOutOfTime() {
      return this == TIMED_OUT || this == OUT_OF_CPU_TIME;
    }
  }
}
