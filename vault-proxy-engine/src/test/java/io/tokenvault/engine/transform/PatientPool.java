package io.tokenvault.engine.transform;

import io.tokenvault.engine.transform.pool.PoolSettings;
import io.tokenvault.engine.transform.pool.PoolSettings.WorkerSettings;
import java.time.Duration;

/** Settings with which everybody gets a worker, whatever else the machine does. */
public final class PatientPool {

  private PatientPool() {}

  /** Settings for running transforms as a server has them. */
  public static PoolSettings forTransforms(int size) {
    return forTransforms(size, WorkerSettings.forTransforms());
  }

  /** One tenant leaves at least one worker to others, unless there is only one. */
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
        .patient();
  }
}
