package io.tokenvault.server.assembly;

import io.tokenvault.engine.transform.WorkerTransforms;
import io.tokenvault.engine.transform.isolation.IsolatedProgram.UnusableProgramException;
import io.tokenvault.engine.transform.isolation.IsolationLevel;
import io.tokenvault.engine.transform.isolation.IsolationObstacles;
import io.tokenvault.engine.transform.pool.PoolSettings;
import io.tokenvault.engine.transform.pool.PoolSettings.WorkerSettings;
import io.tokenvault.server.config.Configuration;
import io.tokenvault.server.config.ConfigurationException;
import io.tokenvault.server.config.Setting;
import java.time.Duration;

/**
 * Starts the worker processes that run the transforms of proxies, from the settings of the
 * operator.
 */
public final class TransformWorkers {

  /** Heap that the JavaScript engine itself needs in a worker, in MiB. */
  private static final int ENGINE_MIB = 32;

  /**
   * Ratio of a compiler's time limit to its CPU limit: on a busy machine a process may get as
   * little as one part in this many of the time.
   */
  private static final int CPU_SHARE = 8;

  private static final Duration RUNNER_IDLE = Duration.ofMinutes(5);
  private static final Duration GRACE = Duration.ofMillis(250);

  private TransformWorkers() {}

  /**
   * Starts the workers of a server.
   *
   * @throws ConfigurationException if a setting cannot be met, as when isolation is required and
   *     the system does not allow it
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
   * Starts the worker of a command that runs one transform.
   *
   * <p>It waits for its worker as long as a busy machine takes, since no request is waiting.
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

  /** Starts the workers and enforces the isolation that the settings require. */
  private static WorkerTransforms started(
      Configuration.Transforms configuration, WorkerTransforms.Settings settings) {
    WorkerTransforms transforms = startAll(settings);
    if (configuration.isolationRequired()) {
      try {
        requireIsolation(transforms);
      } catch (ConfigurationException notIsolated) {
        transforms.close();
        throw notIsolated;
      }
    }
    return transforms;
  }

  /** Checks the isolation, which is otherwise found when the first worker starts. */
  private static void requireIsolation(WorkerTransforms transforms) {
    try {
      if (transforms.confinement() == IsolationLevel.NONE) {
        throw new ConfigurationException(
            Setting.TRANSFORM_ISOLATION.variable()
                + " is required, but this system does not allow transform workers to be isolated."
                + " Allow it, or set preferred; see docs/deployment.md. Obstacles:\n    "
                + String.join("\n    ", IsolationObstacles.found()));
      }
    } catch (UnusableProgramException noWorker) {
      throw new ConfigurationException(
          Setting.TRANSFORM_ISOLATION.variable()
              + " is required, but no worker can start: "
              + noWorker.getMessage());
    }
  }

  /** Starts the workers; a modules directory that cannot be used is reported by its setting. */
  private static WorkerTransforms startAll(WorkerTransforms.Settings settings) {
    try {
      return new WorkerTransforms(settings);
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
        configuration.limits(),
        configuration.compileCpu(),
        compileLimit,
        configuration.modulesDirectory(),
        configuration.errorModules());
  }

  /**
   * Returns the settings of the pool: workers for transforms and spares that are started in
   * advance.
   *
   * <p>A worker's heap is the memory limit of a transform plus the need of the engine itself.
   */
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
            configuration.memoryMib() + ENGINE_MIB,
            worker.stackKib(),
            worker.startLimit(),
            worker.maxUses(),
            worker.maxTransforms(),
            worker.longRunning()));
  }
}
