package io.tokenvault.engine.transform;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.engine.transform.pool.WorkerFailedException.WorkerFailure;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class SlowSourceCacheTest {

  private static final TenantId TENANT = new TenantId(new UUID(0, 1));
  private static final TenantId OTHER_TENANT = new TenantId(new UUID(0, 2));

  private long now = Long.MAX_VALUE - 5; // overflows, as System.nanoTime may
  private final SlowSourceCache sources = new SlowSourceCache(() -> now);

  private void advance(Duration time) {
    now += time.toNanos();
  }

  @Test
  void sourceIsCachedForTenMinutes() {
    sources.add(TENANT, "slow", WorkerFailure.OUT_OF_CPU_TIME);
    advance(Duration.ofMinutes(10).minusNanos(1));
    assertThat(sources.failure(TENANT, "slow")).contains(WorkerFailure.OUT_OF_CPU_TIME);

    advance(Duration.ofNanos(1));
    assertThat(sources.failure(TENANT, "slow")).isEmpty();
  }

  @Test
  void sourceOfAnotherTenantIsNotFound() {
    sources.add(TENANT, "slow", WorkerFailure.TIMED_OUT);

    assertThat(sources.failure(OTHER_TENANT, "slow")).isEmpty();
    assertThat(sources.failure(TENANT, "slow ")).isEmpty();
  }

  @Test
  void oldestSourceIsEvicted() {
    for (int i = 0; i <= SlowSourceCache.MOST; i++) {
      sources.add(TENANT, "slow" + i, WorkerFailure.TIMED_OUT);
    }

    assertThat(sources.failure(TENANT, "slow0")).isEmpty();
    assertThat(sources.failure(TENANT, "slow1")).isPresent();
    assertThat(sources.failure(TENANT, "slow" + SlowSourceCache.MOST)).isPresent();
  }
}
