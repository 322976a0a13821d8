package io.tokenvault.domain.failure;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/** Reports that a caller has exceeded a rate limit; later requests may succeed. */
public final class RateLimitedException extends VaultException {

  private static final long serialVersionUID = 1L;

  private final Duration retryAfter;
  private final transient Optional<RateAllowance> allowance;

  /**
   * Creates the failure.
   *
   * @param detail the message for the caller
   * @param retryAfter the time until another request is permitted; must be positive
   * @param allowance the state of the limit, if it is known
   */
  public RateLimitedException(
      String detail, Duration retryAfter, Optional<RateAllowance> allowance) {
    super(FailureCause.RATE_LIMITED, detail, null);
    if (Objects.requireNonNull(retryAfter, "retryAfter").compareTo(Duration.ZERO) <= 0) {
      throw new IllegalArgumentException("there is nothing to wait for");
    }
    this.retryAfter = retryAfter;
    this.allowance = Objects.requireNonNull(allowance, "allowance");
  }

  public Optional<RateAllowance> allowance() {
    return allowance;
  }

  public Duration retryAfter() {
    return retryAfter;
  }

  /** Returns the time in whole seconds, rounded up; at least 1. */
  public long retryAfterSeconds() {
    return retryAfter.plusSeconds(1).minusNanos(1).toSeconds();
  }
}
