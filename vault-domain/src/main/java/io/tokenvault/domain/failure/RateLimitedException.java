package io.tokenvault.domain.failure;

import java.time.Duration;
import java.util.Objects;

/** Reports that a caller has exceeded a rate limit; later requests may succeed. */
public final class RateLimitedException extends VaultException {

  private static final long serialVersionUID = 1L;

  private final Duration retryAfter;

  /**
   * Creates the failure.
   *
   * @param detail the message for the caller
   * @param retryAfter the time until another request is permitted; must be positive
   */
  public RateLimitedException(String detail, Duration retryAfter) {
    super(FailureCause.RATE_LIMITED, detail, null);
    if (Objects.requireNonNull(retryAfter, "retryAfter").compareTo(Duration.ZERO) <= 0) {
      throw new IllegalArgumentException("there is nothing to wait for");
    }
    this.retryAfter = retryAfter;
  }

  public Duration retryAfter() {
    return retryAfter;
  }

  /** Returns the time in whole seconds, rounded up; at least 1. */
  public long retryAfterSeconds() {
    return retryAfter.plusSeconds(1).minusNanos(1).toSeconds();
  }
}
