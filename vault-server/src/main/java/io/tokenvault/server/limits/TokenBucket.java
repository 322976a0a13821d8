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

/** The remaining allowance of one subject. Threads do not block each other. */
final class TokenBucket {

  /** Minimum time between two excesses of a subject that are worth an audit entry. */
  static final Duration NEWS = Duration.ofMinutes(1);

  private final Subject subject;
  private final LongSupplier nanos;
  private final Bucket bucket;
  private final AtomicLong nextNews;

  /**
   * Creates a full bucket.
   *
   * @param nanos a monotonic clock in nanoseconds
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

  /** Takes one request out of the bucket; if it is empty, returns how long to wait. */
  Optional<Excess> take() {
    ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(1);
    return probe.isConsumed() ? Optional.empty() : excess(probe.getNanosToWaitForRefill());
  }

  /** Returns the result that {@link #take} would have, without taking anything. */
  Optional<Excess> look() {
    EstimationProbe probe = bucket.estimateAbilityToConsume(1);
    return probe.canBeConsumed() ? Optional.empty() : excess(probe.getNanosToWaitForRefill());
  }

  /** Returns the excess with its waiting time, which is never zero. */
  private Optional<Excess> excess(long nanosToWait) {
    Duration wait = Duration.ofNanos(Math.max(1, nanosToWait));
    return Optional.of(new Excess(subject, wait, isNews()));
  }

  /**
   * Returns true for one caller within each {@link #NEWS} period, even if several ask at the same
   * time.
   */
  private boolean isNews() {
    long now = nanos.getAsLong();
    long due = nextNews.get();
    return now - due >= 0 && nextNews.compareAndSet(due, now + NEWS.toNanos());
  }

  /** A clock for Bucket4j that tests can control. */
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
