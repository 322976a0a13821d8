package io.tokenvault.server.assembly;

import io.tokenvault.engine.transform.WorkerTransforms;
import io.tokenvault.server.config.Configuration;
import io.tokenvault.server.config.ConfigurationException;
import java.util.ArrayList;
import java.util.List;

/**
 * The resources that a vault needs besides its database.
 *
 * <p>They are prepared first: a file, a port or an operating system that cannot be used is reported
 * before anything is created or changed. A vault stops the workers that it was started with.
 */
public final class StartPreparation implements AutoCloseable {

  private final Configuration configuration;
  private final WorkerTransforms transforms;

  private StartPreparation(Configuration configuration, WorkerTransforms transforms) {
    this.configuration = configuration;
    this.transforms = transforms;
  }

  /**
   * Checks listeners, engine and keyset, and starts the worker processes of transforms.
   *
   * @throws ConfigurationException naming everything that cannot be used, not only the first
   *     problem
   */
  public static StartPreparation of(Configuration configuration) {
    List<String> problems = new ArrayList<>();
    collect(problems, () -> Listeners.check(configuration.web()));
    collect(problems, () -> EngineFactory.check(configuration));
    collect(problems, () -> new KeysetFile(configuration).loadIfThere());
    WorkerTransforms transforms = null;
    try {
      transforms = TransformWorkers.start(configuration.transforms());
    } catch (ConfigurationException unusable) {
      problems.addAll(unusable.problems());
    }
    if (!problems.isEmpty()) {
      if (transforms != null) {
        transforms.close();
      }
      throw new ConfigurationException(problems);
    }
    return new StartPreparation(configuration, transforms);
  }

  /** Runs a check and adds its problems to those that are already known. */
  private static void collect(List<String> problems, Runnable check) {
    try {
      check.run();
    } catch (ConfigurationException unusable) {
      problems.addAll(unusable.problems());
    }
  }

  Configuration configuration() {
    return configuration;
  }

  WorkerTransforms transforms() {
    return transforms;
  }

  /** Stops the workers. A vault that was started with them has stopped them already. */
  @Override
  public void close() {
    transforms.close();
  }
}
