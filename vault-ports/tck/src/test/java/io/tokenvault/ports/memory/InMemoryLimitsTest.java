package io.tokenvault.ports.memory;

import io.tokenvault.ports.contract.runtime.RateLimitsContract;
import io.tokenvault.ports.runtime.RateLimits;
import java.time.Duration;
import java.time.Instant;

final class InMemoryLimitsTest extends RateLimitsContract {

  private Instant now = Instant.parse("2026-03-01T12:00:00Z");
  private final RateLimits limits = new InMemoryLimits(() -> now, BURST, EACH);

  @Override
  protected RateLimits limits() {
    return limits;
  }

  @Override
  protected void pass(Duration time) {
    now = now.plus(time);
  }
}
