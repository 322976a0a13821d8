package io.tokenvault.server.limits;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.runtime.RateLimits;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Rate limits of this node alone, in bounded memory.
 *
 * <p>A subject is discarded once it has been silent for so long that its burst is complete again.
 * If more than 50,000 subjects of a kind send requests within that time, those with the fewest
 * requests are discarded early and start with a full burst. Threads may share an instance.
 */
public final class NodeLimits implements RateLimits {

  /** Limit on the subjects of each kind, which take about 600 bytes each. */
  static final int MAX_SUBJECTS = 50_000;

  private static final int MAX_KNOWN = 10_000;

  private final Map<Kind, Counted> kinds = new EnumMap<>(Kind.class);
  private final Cache<KeyHash, TokenBucket> turnedAway;

  /**
   * Creates limits without any subject.
   *
   * @param application the limit of each application; empty: unlimited
   * @param anonymous the limit of all callers without a key of one proxy; empty: unlimited
   * @param nanos a monotonic clock in nanoseconds
   */
  public NodeLimits(
      Optional<RateLimit> application, Optional<RateLimit> anonymous, LongSupplier nanos) {
    application.ifPresent(rate -> kinds.put(Kind.APPLICATION, new Counted(rate, nanos)));
    anonymous.ifPresent(rate -> kinds.put(Kind.ANONYMOUS_PROXY, new Counted(rate, nanos)));
    this.turnedAway =
        Caffeine.newBuilder()
            .maximumSize(MAX_KNOWN)
            .expireAfterAccess(TokenBucket.NEWS)
            .ticker(nanos::getAsLong)
            .executor(Runnable::run)
            .build();
  }

  /**
   * {@inheritDoc}
   *
   * <p>The key of a rejected request is stored, so that {@link #known} rejects the next one without
   * a look-up.
   */
  @Override
  public Optional<Excess> take(Subject subject, KeyHash key) {
    Counted counted = kinds.get(subject.kind());
    if (counted == null) {
      return Optional.empty();
    }
    TokenBucket allowance = counted.allowance(subject);
    Optional<Excess> excess = allowance.take();
    excess.ifPresent(tooMany -> turnedAway.put(key, allowance));
    return excess;
  }

  /**
   * {@inheritDoc}
   *
   * <p>Checks the bucket of a key that was rejected before, and takes nothing from it.
   */
  @Override
  public Optional<Excess> known(KeyHash key) {
    TokenBucket known = kinds.isEmpty() ? null : turnedAway.getIfPresent(key);
    if (known == null) {
      return Optional.empty();
    }
    Optional<Excess> excess = known.look();
    if (excess.isEmpty()) {
      turnedAway.invalidate(key);
    }
    return excess;
  }

  /** Returns the number of stored subjects. */
  long size() {
    return kinds.values().stream().mapToLong(Counted::size).sum();
  }

  /** The buckets of all subjects of one kind. */
  private static final class Counted {

    private final RateLimit rate;
    private final LongSupplier nanos;
    private final Cache<Subject, TokenBucket> allowances;

    /** Creates an empty set of buckets that expire once they are full again. */
    Counted(RateLimit rate, LongSupplier nanos) {
      this.rate = rate;
      this.nanos = nanos;
      this.allowances =
          Caffeine.newBuilder()
              .maximumSize(MAX_SUBJECTS)
              .expireAfterAccess(longer(rate.refill(), TokenBucket.NEWS))
              .ticker(nanos::getAsLong)
              .executor(Runnable::run)
              .build();
    }

    /**
     * Returns the lifetime of a bucket: until it is full, and long enough to report an excess once.
     */
    private static Duration longer(Duration one, Duration other) {
      return one.compareTo(other) > 0 ? one : other;
    }

    /** Returns the bucket of a subject; a new one is full. */
    TokenBucket allowance(Subject subject) {
      return allowances.get(subject, fresh -> new TokenBucket(fresh, rate, nanos));
    }

    /** Returns the number of buckets, without expired ones. */
    long size() {
      allowances.cleanUp();
      return allowances.estimatedSize();
    }
  }
}
