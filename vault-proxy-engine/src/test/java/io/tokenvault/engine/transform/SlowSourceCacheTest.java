package io.tokenvault.engine.transform;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.engine.transform.pool.WorkerFailedException.WorkerFailure;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class SlowSourceCacheTest {

  private static final TenantId ONE = new TenantId(new UUID(0, 1));
  private static final TenantId OTHER = new TenantId(new UUID(0, 2));

  private long now = Long.MAX_VALUE - 5; // overflows, as System.nanoTime may
  private final SlowSourceCache sources = new SlowSourceCache(() -> now);

  private void pass(Duration time) {
    now += time.toNanos();
  }

  @Test
  void sourceIsCachedForTenMinutes() {
    sources.add(ONE, "slow", WorkerFailure.OUT_OF_CPU_TIME);
    pass(Duration.ofMinutes(10).minusNanos(1));
    assertThat(sources.failure(ONE, "slow")).contains(WorkerFailure.OUT_OF_CPU_TIME);

    pass(Duration.ofNanos(1));
    assertThat(sources.failure(ONE, "slow")).isEmpty();
  }

  @Test
  void sourceOfAnotherTenantIsNotFound() {
    sources.add(ONE, "slow", WorkerFailure.TIMED_OUT);

    assertThat(sources.failure(OTHER, "slow")).isEmpty();
    assertThat(sources.failure(ONE, "slow ")).isEmpty();
  }

  @Test
  void oldestSourceIsEvicted() {
    for (int i = 0; i <= SlowSourceCache.MOST; i++) {
      sources.add(ONE, "slow" + i, WorkerFailure.TIMED_OUT);
    }

    assertThat(sources.failure(ONE, "slow0")).isEmpty();
    assertThat(sources.failure(ONE, "slow1")).isPresent();
    assertThat(sources.failure(ONE, "slow" + SlowSourceCache.MOST)).isPresent();
  }
}
