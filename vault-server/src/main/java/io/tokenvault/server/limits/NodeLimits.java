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
 * Limits of this node alone, in memory of a bounded size. A subject that is silent for so long that
 * nothing is missing of its burst is forgotten. Of more than 50,000 that send within that time,
 * those that send least are forgotten early, and begin with a full burst.
 */
public final class NodeLimits implements RateLimits {

  /** Of each kind. Some 600 bytes each. */
  static final int MAX_SUBJECTS = 50_000;

  private static final int MAX_KNOWN = 10_000;

  private final Map<Kind, Counted> kinds = new EnumMap<>(Kind.class);
  private final Cache<KeyHash, TokenBucket> turnedAway;

  /**
   * @param application of each application; empty: they are not counted
   * @param anonymous of those who call a proxy without a key; empty: they are not counted
   * @param nanos a clock that only goes forward, in nanoseconds
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

  /** How many subjects are remembered. */
  long size() {
    return kinds.values().stream().mapToLong(Counted::size).sum();
  }

  /** The subjects of one kind. */
  private static final class Counted {

    private final RateLimit rate;
    private final LongSupplier nanos;
    private final Cache<Subject, TokenBucket> allowances;

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

    private static Duration longer(Duration one, Duration other) {
      return one.compareTo(other) > 0 ? one : other;
    }

    TokenBucket allowance(Subject subject) {
      return allowances.get(subject, fresh -> new TokenBucket(fresh, rate, nanos));
    }

    long size() {
      allowances.cleanUp();
      return allowances.estimatedSize();
    }
  }
}
