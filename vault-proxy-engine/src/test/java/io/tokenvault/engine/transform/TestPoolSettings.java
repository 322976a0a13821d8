package io.tokenvault.engine.transform;

import io.tokenvault.engine.transform.pool.PoolSettings;
import io.tokenvault.engine.transform.pool.PoolSettings.WorkerSettings;
import java.time.Duration;

/** Creates settings of worker pools with time limits that suffice on a busy machine. */
public final class TestPoolSettings {

  private TestPoolSettings() {}

  /** Returns settings of a pool that runs transforms. */
  public static PoolSettings forTransforms(int size) {
    return forTransforms(size, WorkerSettings.forTransforms());
  }

  /** Returns settings that reserve one worker for other tenants, unless there is only one. */
  static PoolSettings forTransforms(int size, WorkerSettings worker) {
    return new PoolSettings(
            size,
            Math.max(1, size / 4),
            true,
            Math.max(1, size - 1),
            16 * size,
            Duration.ofSeconds(5),
            Duration.ofMinutes(5),
            Duration.ofMillis(250),
            worker)
        .withLongWaits();
  }
}
