package io.tokenvault.domain.failure;

import java.util.Objects;

/**
 * Reports that a use case cannot complete. The message is meant for the caller and never contains
 * sensitive input; the Java cause is for the log and never shown to the caller.
 */
public abstract sealed class VaultException extends RuntimeException
    permits RefusedException, ValidationException, TransformFailedException, RateLimitedException {

  private static final long serialVersionUID = 1L;

  private final FailureCause failure;

  VaultException(FailureCause failure, String detail, Throwable cause) {
    super(detail, cause);
    this.failure = Objects.requireNonNull(failure, "failure");
  }

  public FailureCause failure() {
    return failure;
  }

  public FailureCode code() {
    return failure.code();
  }

  /**
   * Returns the description for the audit log: a fixed string, which may contain more than callers
   * learn.
   */
  public String outcome() {
    return failure.title();
  }
}
