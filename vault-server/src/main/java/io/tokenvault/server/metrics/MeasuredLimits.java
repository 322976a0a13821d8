package io.tokenvault.server.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.tokenvault.ports.spi.KeyHash;
import io.tokenvault.ports.spi.RateLimits;
import java.util.Optional;

/** Counts requests over the rate limits, recorded or not. */
final class MeasuredLimits implements RateLimits {

  private final RateLimits limits;
  private final ByApplication counts;

  MeasuredLimits(RateLimits limits, MeterRegistry registry) {
    this.limits = limits;
    this.counts =
        new ByApplication(
            registry,
            "vault.rate.limited",
            "Requests over the rate limit, by application; none for callers without a key");
  }

  @Override
  public Optional<Excess> take(Subject subject, KeyHash key) {
    return counted(limits.take(subject, key));
  }

  @Override
  public Optional<Excess> known(KeyHash key) {
    return counted(limits.known(key));
  }

  private Optional<Excess> counted(Optional<Excess> excess) {
    excess
        .map(Excess::subject)
        .ifPresent(
            subject ->
                counts.count(
                    subject.kind() == Kind.APPLICATION
                        ? Optional.of(subject.id())
                        : Optional.empty()));
    return excess;
  }
}
