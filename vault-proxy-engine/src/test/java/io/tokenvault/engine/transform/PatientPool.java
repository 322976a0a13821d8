package io.tokenvault.engine.transform;

import io.tokenvault.engine.transform.pool.PoolSettings;
import io.tokenvault.engine.transform.pool.PoolSettings.WorkerSettings;
import java.time.Duration;

/** Settings with which everybody gets a worker, whatever else the machine does. */
public final class PatientPool {

  private PatientPool() {}

  /**
   * Settings for running transforms as a server has them. One tenant leaves at least one worker to
   * others, unless there is only one.
   */
  public static PoolSettings forTransforms(int size) {
    return new PoolSettings(
        size,
        Math.max(1, size / 4),
        true,
        Math.max(1, size - 1),
        16 * size,
        Duration.ofSeconds(5),
        Duration.ofMinutes(5),
        Duration.ofMillis(250),
        WorkerSettings.forTransforms());
  }

  public static PoolSettings of(PoolSettings usual) {
    return of(usual, usual.worker());
  }

  /** The same with workers of their own kind. */
  static PoolSettings of(PoolSettings usual, WorkerSettings worker) {
    return new PoolSettings(
        usual.size(),
        usual.spares(),
        usual.ahead(),
        usual.perTenant(),
        usual.queue(),
        Duration.ofMinutes(2),
        usual.idle(),
        usual.grace(),
        worker);
  }
}
