package io.tokenvault.engine.transform.pool;

import java.util.Objects;

/** There is no result, and no fault of the script's that a worker could tell. */
public final class WorkerFailedException extends Exception {

  private static final long serialVersionUID = 1L;

  private final WorkerFailure failure;

  public WorkerFailedException(WorkerFailure failure) {
    super("no result of a transform worker: " + failure);
    this.failure = Objects.requireNonNull(failure, "failure");
  }

  public WorkerFailure failure() {
    return failure;
  }
}
