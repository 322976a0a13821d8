package io.tokenvault.domain.failure;

import java.time.Duration;
import java.util.Objects;

/**
 * The state of a rate limit of one caller.
 *
 * @param limit the number of requests that are allowed at once after a time without any
 * @param remaining the number of requests that are allowed now
 * @param reset the time without requests until the limit remains again; zero if it does now
 */
public record RateAllowance(long limit, long remaining, Duration reset) {
  public RateAllowance {
    Objects.requireNonNull(reset, "reset");
    if (remaining < 0 || limit < remaining || reset.isNegative()) {
      throw new IllegalArgumentException("no rate limit leaves this");
    }
  }

  /** Returns the time in whole seconds, rounded up. */
  public long resetSeconds() {
    return reset.plusSeconds(1).minusNanos(1).toSeconds();
  }
}
