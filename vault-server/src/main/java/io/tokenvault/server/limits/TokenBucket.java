package io.tokenvault.server.limits;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.EstimationProbe;
import io.github.bucket4j.TimeMeter;
import io.tokenvault.ports.runtime.RateLimits.Excess;
import io.tokenvault.ports.runtime.RateLimits.Subject;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** What one subject may still send. Threads do not wait for each other. */
final class TokenBucket {

  /** Of one subject, a request too many is news once in this time. */
  static final Duration NEWS = Duration.ofMinutes(1);

  private final Subject subject;
  private final LongSupplier nanos;
  private final Bucket bucket;
  private final AtomicLong nextNews;

  /**
   * @param nanos a clock that only goes forward
   */
  TokenBucket(Subject subject, RateLimit rate, LongSupplier nanos) {
    this.subject = subject;
    this.nanos = nanos;
    this.nextNews = new AtomicLong(nanos.getAsLong());
    this.bucket =
        Bucket.builder()
            .addLimit(
                limit ->
                    limit
                        .capacity(rate.burst())
                        .refillGreedy(rate.perMinute(), Duration.ofMinutes(1)))
            .withCustomTimePrecision(new Clock(nanos))
            .build();
  }

  Optional<Excess> take() {
    ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(1);
    return probe.isConsumed() ? Optional.empty() : excess(probe.getNanosToWaitForRefill());
  }

  /** What {@link #take} would say, without taking anything. */
  Optional<Excess> look() {
    EstimationProbe probe = bucket.estimateAbilityToConsume(1);
    return probe.canBeConsumed() ? Optional.empty() : excess(probe.getNanosToWaitForRefill());
  }

  private Optional<Excess> excess(long nanosToWait) {
    Duration wait = Duration.ofNanos(Math.max(1, nanosToWait));
    return Optional.of(new Excess(subject, wait, isNews()));
  }

  private boolean isNews() {
    long now = nanos.getAsLong();
    long due = nextNews.get();
    return now - due >= 0 && nextNews.compareAndSet(due, now + NEWS.toNanos());
  }

  private record Clock(LongSupplier nanos) implements TimeMeter {
    @Override
    public long currentTimeNanos() {
      return nanos.getAsLong();
    }

    @Override
    public boolean isWallClockBased() {
      return false;
    }
  }
}
