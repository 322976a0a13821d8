package io.tokenvault.ports.contract.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.failure.RateAllowance;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.contract.BrokenLaw;
import io.tokenvault.ports.runtime.RateLimits;
import io.tokenvault.ports.runtime.RateLimits.Excess;
import io.tokenvault.ports.runtime.RateLimits.Subject;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Contract tests for {@link RateLimits}. */
@ExtendWith(BrokenLaw.class)
public abstract class RateLimitsContract {

  /** The number of requests that each subject may send at once. */
  protected static final int BURST = 3;

  /** The time after which one more request is allowed. */
  protected static final Duration EACH = Duration.ofSeconds(10);

  private final TenantId tenant = new TenantId(UUID.randomUUID());
  private final Subject application = Subject.of(tenant, new ApplicationId(UUID.randomUUID()));

  /** Returns limits of {@link #BURST} and {@link #EACH}; always the same instance in a test. */
  protected abstract RateLimits limits();

  /** Advances the clock of the limits. */
  protected abstract void pass(Duration time);

  private void takeAll(Subject subject) {
    for (int i = 0; i < BURST; i++) {
      assertThat(limits().take(subject)).isEmpty();
    }
  }

  private Duration retryAfter(Optional<Excess> excess) {
    return excess.orElseThrow().retryAfter();
  }

  @Test
  void allowedRequestsPassAndNextReportsWaitTime() {
    takeAll(application);

    Excess excess = limits().take(application).orElseThrow();

    assertThat(excess.subject()).isEqualTo(application);
    assertThat(excess.retryAfter()).isEqualTo(EACH);
  }

  @Test
  void requestIsAllowedOnlyAfterReportedWaitTime() {
    takeAll(application);
    pass(Duration.ofMillis(6_500));
    assertThat(retryAfter(limits().take(application))).isEqualTo(Duration.ofMillis(3_500));

    pass(Duration.ofMillis(3_499));
    assertThat(limits().take(application)).isPresent();
    pass(Duration.ofMillis(1));

    assertThat(limits().take(application)).isEmpty();
    assertThat(limits().take(application)).isPresent();
  }

  @Test
  void burstIsCappedAfterIdlePeriod() {
    takeAll(application);
    pass(Duration.ofDays(30));

    takeAll(application);
    assertThat(limits().take(application)).isPresent();
  }

  @Test
  void allowanceShrinksWithRequestsAndGrowsWithTime() {
    assertThat(limits().allowance(application)).contains(allowance(BURST, Duration.ZERO));
    assertThat(limits().take(application)).isEmpty();
    assertThat(limits().allowance(application)).contains(allowance(BURST - 1, EACH));
    assertThat(limits().take(application)).isEmpty();
    pass(EACH.dividedBy(2));
    assertThat(limits().allowance(application))
        .contains(allowance(BURST - 2, EACH.plus(EACH.dividedBy(2))));
    pass(EACH.dividedBy(2));

    assertThat(limits().allowance(application)).contains(allowance(BURST - 1, EACH));
  }

  @Test
  void allowanceIsZeroAfterRejection() {
    takeAll(application);
    assertThat(limits().take(application)).isPresent();

    assertThat(limits().allowance(application)).contains(allowance(0, EACH.multipliedBy(BURST)));
  }

  private static RateAllowance allowance(long remaining, Duration reset) {
    return new RateAllowance(BURST, remaining, reset);
  }

  @Test
  void subjectsAreCountedSeparately() {
    takeAll(application);

    takeAll(Subject.of(tenant, new ApplicationId(UUID.randomUUID())));
    takeAll(Subject.of(new TenantId(UUID.randomUUID()), new ApplicationId(application.id())));
    takeAll(Subject.of(tenant, new ProxyId(application.id())));
    assertThat(limits().take(application)).isPresent();
  }

  @Test
  void rejectionIsToBeRecordedOncePerMinuteAndSubject() {
    takeAll(application);
    assertThat(limits().take(application)).matches(each -> each.orElseThrow().shouldRecord());
    assertThat(limits().take(application)).matches(each -> !each.orElseThrow().shouldRecord());
    Subject other = Subject.of(tenant, new ApplicationId(UUID.randomUUID()));
    takeAll(other);
    assertThat(limits().take(other)).matches(each -> each.orElseThrow().shouldRecord());

    pass(Duration.ofMinutes(1));

    takeAll(application);
    assertThat(limits().take(application)).matches(each -> each.orElseThrow().shouldRecord());
    assertThat(limits().take(application)).matches(each -> !each.orElseThrow().shouldRecord());
  }
}
