package io.tokenvault.server.assembly;

import io.tokenvault.engine.transform.ConfinementLevel;
import io.tokenvault.engine.transform.PoolSettings;
import io.tokenvault.engine.transform.WorkerSettings;
import io.tokenvault.engine.transform.WorkerTransforms;
import io.tokenvault.engine.wire.ToWorker.Limits;
import io.tokenvault.server.config.Configuration;
import io.tokenvault.server.config.Configuration.TransformLimits;
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
  private static final Duration COMPILE_LIMIT = Duration.ofSeconds(120);
  private static final Duration RUNNER_IDLE = Duration.ofMinutes(5);
  private static final Duration COMPILER_IDLE = Duration.ofMinutes(2);
  private static final Duration COMPILER_WAIT = Duration.ofSeconds(60);
  private static final int COMPILER_QUEUE = 16;
  private static final Duration GRACE = Duration.ofMillis(250);

  private TransformWorkers() {}

  /**
   * @throws StartException if a setting cannot be met
   */
  public static WorkerTransforms start(Configuration.Transforms configuration) {
    WorkerTransforms transforms = startAll(configuration);
    if (transforms.confinement() == ConfinementLevel.NONE) {
      if (configuration.isolationRequired()) {
        transforms.close();
        throw new StartException(
            Setting.TRANSFORM_ISOLATION.variable()
                + " asks for it, but this system lets workers of transforms not be shut in:"
                + " neither namespaces (unshare) nor another user (setpriv, as root) work here.");
      }
      log.warn(
          "Workers of transforms are not shut in: neither namespaces (unshare) nor another user"
              + " (setpriv, as root) work here. {}",
          transforms.confinement().promise());
    }
    return transforms;
  }

  private static WorkerTransforms startAll(Configuration.Transforms configuration) {
    try {
      return WorkerTransforms.start(settings(configuration));
    } catch (IllegalArgumentException unusable) {
      throw new StartException(
          Setting.TRANSFORM_MODULES_DIR.variable() + " " + unusable.getMessage() + ".");
    }
  }

  private static WorkerTransforms.Settings settings(Configuration.Transforms configuration) {
    return new WorkerTransforms.Settings(
        runners(configuration),
        compilers(configuration),
        limits(configuration.limits()),
        COMPILE_LIMIT,
        configuration.modulesDirectory(),
        configuration.errorModules());
  }

  private static PoolSettings runners(Configuration.Transforms configuration) {
    WorkerSettings worker = WorkerSettings.forTransforms();
    return new PoolSettings(
        configuration.workers() + configuration.spareWorkers(),
        configuration.spareWorkers(),
        true,
        configuration.workers(),
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

  private static PoolSettings compilers(Configuration.Transforms configuration) {
    return new PoolSettings(
        configuration.compilers(),
        0,
        false,
        configuration.compilers(),
        COMPILER_QUEUE,
        COMPILER_WAIT,
        COMPILER_IDLE,
        GRACE,
        WorkerSettings.forCompiling());
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
