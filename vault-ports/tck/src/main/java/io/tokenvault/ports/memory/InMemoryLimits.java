package io.tokenvault.ports.memory;

import io.tokenvault.domain.failure.RateAllowance;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.runtime.RateLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Rate limits in memory that are equal for all subjects and use the clock of a test. */
public final class InMemoryLimits implements RateLimits {

  private static final Duration NEWS = Duration.ofMinutes(1);

  private final Supplier<Instant> clock;
  private final int burst;
  private final Duration each;

  /** The time at which a subject's full burst is available again. */
  private final Map<Subject, Instant> full = new HashMap<>();

  private final Map<Subject, Instant> nextNews = new HashMap<>();
  private final Map<KeyHash, Subject> rejected = new HashMap<>();

  /**
   * @param each the time after which one more request is allowed
   */
  public InMemoryLimits(Supplier<Instant> clock, int burst, Duration each) {
    this.clock = clock;
    this.burst = burst;
    this.each = each;
  }

  @Override
  public synchronized Optional<Excess> take(Subject subject, KeyHash key) {
    Duration wait = wait(subject);
    if (isLong(wait)) {
      rejected.put(key, subject);
      return Optional.of(excess(subject, wait));
    }
    full.merge(subject, clock.get().plus(each), (old, fresh) -> later(old, clock.get()).plus(each));
    return Optional.empty();
  }

  @Override
  public synchronized Optional<Excess> known(KeyHash key) {
    return Optional.ofNullable(rejected.get(key))
        .filter(subject -> isLong(wait(subject)))
        .map(subject -> excess(subject, wait(subject)));
  }

  @Override
  public synchronized Optional<RateAllowance> allowance(Subject subject) {
    Duration missing = missing(subject);
    long used = missing.plus(each).minusNanos(1).dividedBy(each);
    return Optional.of(new RateAllowance(burst, burst - used, missing));
  }

  private Duration wait(Subject subject) {
    return missing(subject).minus(each.multipliedBy(burst - 1L));
  }

  private Duration missing(Subject subject) {
    Instant now = clock.get();
    return Duration.between(now, later(full.getOrDefault(subject, now), now));
  }

  private static boolean isLong(Duration wait) {
    return wait.compareTo(Duration.ZERO) > 0;
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  private Excess excess(Subject subject, Duration wait) {
    Instant now = clock.get();
    boolean isNews = !now.isBefore(nextNews.getOrDefault(subject, now));
    if (isNews) {
      nextNews.put(subject, now.plus(NEWS));
    }
    return new Excess(subject, wait, isNews);
  }
}
