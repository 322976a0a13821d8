package io.tokenvault.engine.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.proxy.TransformCode;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.engine.transform.pool.PoolSettings;
import io.tokenvault.engine.wire.ToWorker.Limits;
import io.tokenvault.ports.runtime.TransformRuntime.Compilation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests limits of compilation; ConformanceTest and HostileScriptsTest cover the rest. */
final class WorkerTransformsTest {

  private static final TenantId TENANT = new TenantId(UUID.randomUUID());

  @Tag("long")
  @Test
  void slowCodeIsRejectedAndNotCompiledAgain() {
    String nested = "async () => { return ".repeat(8) + "1" + " }".repeat(8);
    TransformCode slow = new TransformCode("module.exports = [" + (nested + ", ").repeat(8) + "];");
    Compilation rejected =
        new Compilation.Refused(
            List.of(
                new Compilation.Flaw(
                    1,
                    1,
                    "takes more than 1 s of CPU time to compile; write shorter or less nested"
                        + " functions")));
    WorkerTransforms strict =
        new WorkerTransforms(
            new WorkerTransforms.Settings(
                TestPoolSettings.forTransforms(1),
                PoolSettings.forCompiling(1).withLongWaits(),
                new Limits(5000, 60_000, 200_000_000, 1L << 30, 1 << 20, 10),
                Duration.ofSeconds(1),
                Duration.ofMinutes(2),
                Optional.empty(),
                List.of()));
    try (strict) {
      assertThat(strict.compile(TENANT, slow)).isEqualTo(rejected);
    }

    assertThat(strict.compile(TENANT, slow)).isEqualTo(rejected);
    assertThatThrownBy(() -> strict.compile(new TenantId(UUID.randomUUID()), slow))
        .isInstanceOf(RefusedException.class);
  }

  @Test
  void tenantUsesAllCompilersButOne() {
    for (int share : List.of(1, 4)) {
      PoolSettings compilers = PoolSettings.forCompiling(share);

      assertThat(compilers.perTenant()).isEqualTo(share);
      assertThat(compilers.size()).isEqualTo(share + 1);
    }
  }
}
