package io.tokenvault.server.limits;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.EstimationProbe;
import io.github.bucket4j.TimeMeter;
import io.tokenvault.domain.failure.RateAllowance;
import io.tokenvault.ports.runtime.RateLimits;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Rate limits of this node alone, in bounded memory.
 *
 * <p>A subject is discarded once it has been silent for so long that its burst is complete again.
 * If more than 50,000 subjects of a kind send requests within that time, those with the fewest
 * requests are discarded early and start with a full burst. Threads may share an instance.
 */
public final class NodeRateLimits implements RateLimits {

  /** Limit on the subjects of each kind, which take about 600 bytes each. */
  static final int MAX_SUBJECTS = 50_000;

  private final Map<Kind, LoadingCache<Subject, TokenBucket>> kinds = new EnumMap<>(Kind.class);

  /**
   * Creates limits without any subject.
   *
   * @param application the limit of each application; empty: unlimited
   * @param anonymous the limit of all callers without a key of one proxy; empty: unlimited
   * @param nanos a monotonic clock in nanoseconds
   */
  public NodeRateLimits(
      Optional<RateLimit> application, Optional<RateLimit> anonymous, LongSupplier nanos) {
    application.ifPresent(rate -> kinds.put(Kind.APPLICATION, buckets(rate, nanos)));
    anonymous.ifPresent(rate -> kinds.put(Kind.ANONYMOUS_PROXY, buckets(rate, nanos)));
  }

  /** Returns the buckets of one kind of subjects. New ones are full, and full ones expire. */
  private static LoadingCache<Subject, TokenBucket> buckets(RateLimit rate, LongSupplier nanos) {
    return Caffeine.newBuilder()
        .maximumSize(MAX_SUBJECTS)
        // Until the bucket is full, and long enough to report an excess once.
        .expireAfterAccess(Collections.max(List.of(rate.refill(), TokenBucket.REPORT_INTERVAL)))
        .ticker(nanos::getAsLong)
        .executor(Runnable::run)
        .build(subject -> new TokenBucket(subject, rate, nanos));
  }

  @Override
  public Optional<Excess> take(Subject subject) {
    return Optional.ofNullable(kinds.get(subject.kind()))
        .flatMap(buckets -> buckets.get(subject).take());
  }

  @Override
  public Optional<RateAllowance> allowance(Subject subject) {
    return Optional.ofNullable(kinds.get(subject.kind()))
        .map(buckets -> buckets.get(subject).left());
  }

  /** Returns the number of stored subjects, without expired ones. */
  long size() {
    kinds.values().forEach(Cache::cleanUp);
    return kinds.values().stream().mapToLong(Cache::estimatedSize).sum();
  }

  /** The remaining allowance of one subject. Threads do not block each other. */
  private static final class TokenBucket {

    /** Minimum time between two excesses of a subject that are worth an audit entry. */
    static final Duration REPORT_INTERVAL = Duration.ofMinutes(1);

    private final Subject subject;
    private final LongSupplier nanos;
    private final int burst;
    private final Bucket bucket;
    private final AtomicLong nextReport;

    /**
     * Creates a full bucket.
     *
     * @param nanos a monotonic clock in nanoseconds
     */
    TokenBucket(Subject subject, RateLimit rate, LongSupplier nanos) {
      this.subject = subject;
      this.nanos = nanos;
      this.burst = rate.burst();
      this.nextReport = new AtomicLong(nanos.getAsLong());
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

    /** Returns what is left, without taking anything. */
    RateAllowance left() {
      EstimationProbe full = bucket.estimateAbilityToConsume(burst);
      return new RateAllowance(
          burst, full.getRemainingTokens(), Duration.ofNanos(full.getNanosToWaitForRefill()));
    }

    /** Returns the excess with its waiting time, which is never zero. */
    private Optional<Excess> excess(long nanosToWait) {
      Duration wait = Duration.ofNanos(Math.max(1, nanosToWait));
      return Optional.of(new Excess(subject, wait, claimReport()));
    }

    /**
     * Returns true for one caller within each {@link #REPORT_INTERVAL} period, even if several ask
     * at the same time.
     */
    private boolean claimReport() {
      long now = nanos.getAsLong();
      long due = nextReport.get();
      return now - due >= 0 && nextReport.compareAndSet(due, now + REPORT_INTERVAL.toNanos());
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

  /**
   * A limit on requests over time, in terms of a token bucket.
   *
   * @param perMinute requests per minute in the long run; they are refilled evenly, so that 60 are
   *     one per second
   * @param burst requests that are allowed at once after a time without any
   */
  public record RateLimit(int perMinute, int burst) {
    public RateLimit {
      if (perMinute < 1 || burst < 1) {
        throw new IllegalArgumentException("a rate must be positive");
      }
    }

    /** Returns the time without requests after which the whole burst is available again. */
    Duration refill() {
      return Duration.ofMinutes(1).multipliedBy(burst).dividedBy(perMinute);
    }
  }
}
