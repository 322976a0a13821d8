package io.tokenvault.server.assembly;

import io.tokenvault.engine.transform.WorkerTransforms;
import io.tokenvault.engine.transform.isolation.IsolatedProgram.UnusableProgramException;
import io.tokenvault.engine.transform.isolation.IsolationLevel;
import io.tokenvault.engine.transform.isolation.IsolationObstacles;
import io.tokenvault.engine.transform.pool.PoolSettings;
import io.tokenvault.server.config.Configuration;
import io.tokenvault.server.config.ConfigurationException;
import io.tokenvault.server.config.Setting;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Starts the worker processes that run the transforms of proxies, from the settings of the
 * operator.
 */
public final class TransformWorkers {

  private TransformWorkers() {}

  /**
   * Starts the workers of a server, and enforces the isolation that the settings require.
   *
   * @throws ConfigurationException if a setting cannot be met, as when isolation is required and
   *     the system does not allow it
   */
  public static WorkerTransforms start(Configuration configuration) {
    return started(configuration.transforms(), configuration.isolationRequired());
  }

  /**
   * Starts the worker of a command that runs one transform.
   *
   * <p>It waits for its worker as long as a busy machine takes, since no request is waiting.
   *
   * @param modules the directory of modules; empty for none
   * @throws ConfigurationException if a setting cannot be met
   */
  public static WorkerTransforms startForOne(Configuration configuration, Optional<Path> modules) {
    WorkerTransforms.Settings server = configuration.transforms();
    PoolSettings compilers = PoolSettings.forCompiling(1).withLongWaits();
    return started(
        new WorkerTransforms.Settings(
            server.runners().single().withLongWaits(),
            compilers,
            server.limits(),
            server.compileCpu(),
            compilers.longestWait(),
            modules,
            server.errorModules()),
        configuration.isolationRequired());
  }

  private static WorkerTransforms started(
      WorkerTransforms.Settings settings, boolean isolationRequired) {
    WorkerTransforms transforms;
    try {
      transforms = new WorkerTransforms(settings);
    } catch (IllegalArgumentException unusable) {
      throw new ConfigurationException(
          Setting.TRANSFORM_MODULES_DIR.variable() + " " + unusable.getMessage());
    }
    if (isolationRequired) {
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
}
