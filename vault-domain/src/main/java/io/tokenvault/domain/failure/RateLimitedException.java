package io.tokenvault.domain.failure;

import java.time.Duration;
import java.util.Objects;

/** Somebody has sent more requests than the operator allows; later ones are welcome again. */
public final class RateLimitedException extends VaultException {

  private static final long serialVersionUID = 1L;

  private final Duration retryAfter;

  /**
   * @param retryAfter how long until a request may be sent again; more than nothing
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

  /** The same in whole seconds, after which it is over for certain; at least 1. */
  public long retryAfterSeconds() {
    return retryAfter.plusSeconds(1).minusNanos(1).toSeconds();
  }
}
