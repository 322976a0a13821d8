package io.tokenvault.engine.transform;

import io.tokenvault.engine.transform.pool.PoolSettings;
import io.tokenvault.engine.transform.pool.PoolSettings.WorkerSettings;
import java.time.Duration;

/** Settings with which everybody gets a worker, whatever else the machine does. */
public final class PatientPool {

  private PatientPool() {}

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
