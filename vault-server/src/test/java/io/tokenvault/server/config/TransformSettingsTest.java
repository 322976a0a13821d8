package io.tokenvault.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.engine.transform.WorkerTransforms;
import io.tokenvault.engine.transform.pool.PoolSettings;
import io.tokenvault.engine.transform.pool.PoolSettings.WorkerSettings;
import io.tokenvault.engine.wire.ToWorker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TransformSettingsTest {

  @TempDir Path directory;

  @Test
  void defaultsAreDocumentedLimits() {
    Configuration read = Configuration.from(Map.of());

    int workers = Math.max(2, Runtime.getRuntime().availableProcessors());
    assertThat(read.isolationRequired()).isFalse();
    assertThat(read.transforms())
        .isEqualTo(
            new WorkerTransforms.Settings(
                pool(workers, 1, 64, Duration.ofSeconds(10), 64),
                PoolSettings.forCompiling(1),
                new ToWorker.Limits(5_000, 10_000, 1_000_000_000, 4096L << 20, 10 << 20, 100),
                Duration.ofSeconds(15),
                Duration.ofSeconds(120),
                Optional.empty(),
                List.of()));
  }

  private static PoolSettings pool(
      int workers, int spares, int queue, Duration wait, int memoryMib) {
    return new PoolSettings(
        workers + spares,
        spares,
        true,
        workers,
        queue,
        wait,
        Duration.ofMinutes(5),
        Duration.ofMillis(250),
        new WorkerSettings(memoryMib + 32, 1024, Duration.ofSeconds(60), 100_000, 200, true));
  }

  @Test
  void everySettingIsRead() {
    Map<String, String> environment = new HashMap<>();
    environment.put("VAULT_TRANSFORM_WORKERS", "3");
    environment.put("VAULT_TRANSFORM_SPARE_WORKERS", "4");
    environment.put("VAULT_TRANSFORM_COMPILERS", "5");
    environment.put("VAULT_TRANSFORM_COMPILE_CPU_MS", "15");
    environment.put("VAULT_TRANSFORM_QUEUE", "6");
    environment.put("VAULT_TRANSFORM_QUEUE_WAIT_MS", "7");
    environment.put("VAULT_TRANSFORM_ISOLATION", "required");
    environment.put("VAULT_TRANSFORM_CPU_MS", "8");
    environment.put("VAULT_TRANSFORM_TIMEOUT_MS", "9");
    environment.put("VAULT_TRANSFORM_MEMORY_MIB", "100");
    environment.put("VAULT_TRANSFORM_ALLOCATION_MIB", "11");
    environment.put("VAULT_TRANSFORM_INSTRUCTIONS", "12");
    environment.put("VAULT_TRANSFORM_BODY_BYTES", "13");
    environment.put("VAULT_TRANSFORM_CALLS", "14");
    environment.put("VAULT_TRANSFORM_MODULES_DIR", directory.toString());
    environment.put("VAULT_TRANSFORM_MODULE_ALIASES", "other-errors, @other/errors");

    Configuration read = Configuration.from(environment);

    assertThat(read.isolationRequired()).isTrue();
    assertThat(read.transforms())
        .isEqualTo(
            new WorkerTransforms.Settings(
                pool(3, 4, 6, Duration.ofMillis(7), 100),
                PoolSettings.forCompiling(5),
                new ToWorker.Limits(8, 9, 12, 11 << 20, 13, 14),
                Duration.ofMillis(15),
                Duration.ofMillis(120),
                Optional.of(directory),
                List.of("other-errors", "@other/errors")));
  }
}
