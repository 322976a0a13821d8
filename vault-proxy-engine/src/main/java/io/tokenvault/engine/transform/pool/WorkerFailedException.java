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
    super("no result of a transform worker: " + failure);
    this.failure = Objects.requireNonNull(failure, "failure");
  }

  /** Returns the reason why there is no result. */
  public WorkerFailure failure() {
    return failure;
  }
}
