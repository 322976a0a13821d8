package io.tokenvault.ports.memory;

import io.tokenvault.domain.failure.RateAllowance;
import io.tokenvault.ports.runtime.RateLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Rate limits in memory that are equal for all subjects and use the clock of a test. */
public final class InMemoryLimits implements RateLimits {

  private static final Duration REPORT_INTERVAL = Duration.ofMinutes(1);

  private final Supplier<Instant> clock;
  private final int burst;
  private final Duration interval;

  /** The time at which a subject's full burst is available again. */
  private final Map<Subject, Instant> fullAt = new HashMap<>();

  private final Map<Subject, Instant> nextReportAt = new HashMap<>();

  /**
   * @param interval the time after which one more request is allowed
   */
  public InMemoryLimits(Supplier<Instant> clock, int burst, Duration interval) {
    this.clock = clock;
    this.burst = burst;
    this.interval = interval;
  }

  @Override
  public synchronized Optional<Excess> take(Subject subject) {
    Duration wait = waitTime(subject);
    if (isPositive(wait)) {
      return Optional.of(excess(subject, wait));
    }
    fullAt.merge(
        subject,
        clock.get().plus(interval),
        (old, fresh) -> later(old, clock.get()).plus(interval));
    return Optional.empty();
  }

  @Override
  public synchronized Optional<RateAllowance> allowance(Subject subject) {
    Duration missing = timeUntilFull(subject);
    long used = missing.plus(interval).minusNanos(1).dividedBy(interval);
    return Optional.of(new RateAllowance(burst, burst - used, missing));
  }

  private Duration waitTime(Subject subject) {
    return timeUntilFull(subject).minus(interval.multipliedBy(burst - 1L));
  }

  private Duration timeUntilFull(Subject subject) {
    Instant now = clock.get();
    return Duration.between(now, later(fullAt.getOrDefault(subject, now), now));
  }

  private static boolean isPositive(Duration wait) {
    return wait.compareTo(Duration.ZERO) > 0;
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  private Excess excess(Subject subject, Duration wait) {
    Instant now = clock.get();
    boolean shouldRecord = !now.isBefore(nextReportAt.getOrDefault(subject, now));
    if (shouldRecord) {
      nextReportAt.put(subject, now.plus(REPORT_INTERVAL));
    }
    return new Excess(subject, wait, shouldRecord);
  }
}
