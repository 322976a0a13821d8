package io.tokenvault.domain.failure;

import java.util.Objects;

/**
 * A use case cannot do its work. The message is meant for the caller and never holds sensitive
 * input; the cause is for the log and never told to the caller.
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

  /** Returns what the audit log says of it: a fixed text, which may say more than callers learn. */
  public String outcome() {
    return failure.title();
  }
}
