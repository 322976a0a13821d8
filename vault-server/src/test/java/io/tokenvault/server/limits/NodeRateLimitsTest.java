package io.tokenvault.server.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.contract.runtime.RateLimitsContract;
import io.tokenvault.ports.runtime.RateLimits;
import io.tokenvault.ports.runtime.RateLimits.Subject;
import io.tokenvault.server.limits.NodeRateLimits.RateLimit;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class NodeRateLimitsTest extends RateLimitsContract {

  private static final RateLimit RATE =
      new RateLimit((int) (Duration.ofMinutes(1).toNanos() / EACH.toNanos()), BURST);

  /** Starts below zero, as {@link System#nanoTime} may. */
  private final AtomicLong nanos = new AtomicLong(-5);

  private final NodeRateLimits limits =
      new NodeRateLimits(Optional.of(RATE), Optional.of(RATE), nanos::get);

  @Override
  protected RateLimits limits() {
    return limits;
  }

  @Override
  protected void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  private static Subject application() {
    return Subject.of(new TenantId(UUID.randomUUID()), new ApplicationId(UUID.randomUUID()));
  }

  @Test
  void subjectWithoutRateIsNotCounted() {
    NodeRateLimits perProxy = new NodeRateLimits(Optional.empty(), Optional.of(RATE), nanos::get);
    Subject application = application();
    Subject proxy = Subject.of(application.tenantId(), new ProxyId(application.id()));
    for (int i = 0; i < 10 * BURST; i++) {
      assertThat(perProxy.take(application)).isEmpty();
    }
    for (int i = 0; i < BURST; i++) {
      assertThat(perProxy.take(proxy)).isEmpty();
    }
    assertThat(perProxy.take(proxy)).isPresent();
  }

  @Test
  void concurrentRequestsNeverExceedBurst() {
    NodeRateLimits generous =
        new NodeRateLimits(Optional.of(new RateLimit(1, 1000)), Optional.empty(), nanos::get);
    Subject application = application();

    long passed =
        IntStream.range(0, 4000)
            .parallel()
            .filter(i -> generous.take(application).isEmpty())
            .count();

    assertThat(passed).isEqualTo(1000);
  }

  private void takeForApplications(int applications) {
    for (int i = 0; i < applications; i++) {
      assertThat(limits.take(application())).isEmpty();
    }
  }

  @Test
  void memoryIsBounded() {
    takeForApplications(NodeRateLimits.MAX_SUBJECTS + 5_000);

    assertThat(limits.size()).isBetween(1L, (long) NodeRateLimits.MAX_SUBJECTS);
  }

  @Test
  void longIdleSubjectIsForgotten() {
    takeForApplications(500);
    assertThat(limits.size()).isEqualTo(500);

    pass(EACH.multipliedBy(BURST).plus(Duration.ofMinutes(1)));

    assertThat(limits.size()).isZero();
  }

  @Tag("long")
  @Test
  void extremeRatesAreCounted() {
    RateLimit slow = new RateLimit(1, 1_000_000);
    RateLimit fast = new RateLimit(60_000_000, 1_000_000);
    NodeRateLimits both = new NodeRateLimits(Optional.of(slow), Optional.of(fast), nanos::get);
    Subject application = application();
    Subject proxy = Subject.of(application.tenantId(), new ProxyId(application.id()));
    for (int i = 0; i < 1_000_000; i++) {
      both.take(application);
      both.take(proxy);
    }

    assertThat(both.take(application))
        .map(RateLimits.Excess::retryAfter)
        .contains(Duration.ofMinutes(1));
    assertThat(both.take(proxy))
        .map(RateLimits.Excess::retryAfter)
        .contains(Duration.ofNanos(1000));
  }
}
