package io.tokenvault.server.assembly;

import io.tokenvault.engine.transform.WorkerTransforms;
import io.tokenvault.engine.transform.isolation.IsolationLevel;
import io.tokenvault.engine.transform.isolation.IsolationObstacles;
import io.tokenvault.engine.transform.pool.PoolSettings;
import io.tokenvault.engine.transform.pool.WorkerSettings;
import io.tokenvault.engine.wire.ToWorker.Limits;
import io.tokenvault.server.config.Configuration;
import io.tokenvault.server.config.Configuration.TransformLimits;
import io.tokenvault.server.config.ConfigurationException;
import io.tokenvault.server.config.Setting;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts what runs the transforms of proxies, as the operator has set it up. */
public final class TransformWorkers {

  private static final Logger log = LoggerFactory.getLogger(TransformWorkers.class);

  /** What the engine itself takes of a worker's heap. */
  private static final int ENGINE_MIB = 32;

  private static final long MIB = 1024 * 1024;

  /** Of all its time, a compiler on a busy machine may get so little. */
  private static final int CPU_SHARE = 8;

  private static final Duration RUNNER_IDLE = Duration.ofMinutes(5);
  private static final Duration GRACE = Duration.ofMillis(250);

  private TransformWorkers() {}

  /**
   * For a server.
   *
   * @throws ConfigurationException if a setting cannot be met
   */
  public static WorkerTransforms start(Configuration.Transforms configuration) {
    return started(
        configuration,
        settings(
            configuration,
            pool(configuration, configuration.workers(), configuration.spareWorkers()),
            PoolSettings.forCompiling(configuration.compilers()),
            configuration.compileCpu().multipliedBy(CPU_SHARE)));
  }

  /**
   * For a command that runs one transform, and waits for its worker as long as a busy machine
   * takes.
   *
   * @throws ConfigurationException if a setting cannot be met
   */
  public static WorkerTransforms startForOne(Configuration.Transforms configuration) {
    PoolSettings compilers = PoolSettings.forCompiling(1).patient();
    return started(
        configuration,
        settings(
            configuration,
            pool(configuration, 1, 0).patient(),
            compilers,
            compilers.longestWait()));
  }

  private static WorkerTransforms started(
      Configuration.Transforms configuration, WorkerTransforms.Settings settings) {
    WorkerTransforms transforms = startAll(settings);
    if (transforms.confinement() == IsolationLevel.NONE) {
      if (configuration.isolationRequired()) {
        transforms.close();
        throw new ConfigurationException(
            Setting.TRANSFORM_ISOLATION.variable()
                + " is required, but this system does not let workers of transforms be isolated."
                + " Grant it, or set preferred. docs/deployment.md; what was found:\n    "
                + String.join("\n    ", IsolationObstacles.found()));
      }
      log.warn(
          "Workers of transforms are not isolated. {} What was found: {}",
          transforms.confinement().promise(),
          String.join("; ", IsolationObstacles.found()));
    }
    return transforms;
  }

  private static WorkerTransforms startAll(WorkerTransforms.Settings settings) {
    try {
      return WorkerTransforms.start(settings);
    } catch (IllegalArgumentException unusable) {
      throw new ConfigurationException(
          Setting.TRANSFORM_MODULES_DIR.variable() + " " + unusable.getMessage());
    }
  }

  private static WorkerTransforms.Settings settings(
      Configuration.Transforms configuration,
      PoolSettings runners,
      PoolSettings compilers,
      Duration compileLimit) {
    return new WorkerTransforms.Settings(
        runners,
        compilers,
        limits(configuration.limits()),
        configuration.compileCpu(),
        compileLimit,
        configuration.modulesDirectory(),
        configuration.errorModules());
  }

  private static PoolSettings pool(
      Configuration.Transforms configuration, int workers, int spares) {
    WorkerSettings worker = WorkerSettings.forTransforms();
    return new PoolSettings(
        workers + spares,
        spares,
        true,
        workers,
        configuration.queue(),
        configuration.queueWait(),
        RUNNER_IDLE,
        GRACE,
        new WorkerSettings(
            configuration.limits().memoryMib() + ENGINE_MIB,
            worker.stackKib(),
            worker.startLimit(),
            worker.maxUses(),
            worker.maxBundles(),
            worker.longRunning()));
  }

  private static Limits limits(TransformLimits limits) {
    return new Limits(
        limits.cpu().toMillis(),
        limits.timeout().toMillis(),
        limits.instructions(),
        limits.allocationMib() * MIB,
        limits.bodyBytes(),
        limits.calls());
  }
}
