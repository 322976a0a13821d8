package io.tokenvault.server.assembly;

import io.tokenvault.engine.transform.WorkerTransforms;
import io.tokenvault.server.config.Configuration;
import io.tokenvault.server.config.ConfigurationException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a vault needs besides its database. Made first: a file, a port or a system that cannot be
 * used is told before anything is created or changed.
 */
public final class StartPreparation implements AutoCloseable {

  private final Configuration configuration;
  private final WorkerTransforms transforms;

  private StartPreparation(Configuration configuration, WorkerTransforms transforms) {
    this.configuration = configuration;
    this.transforms = transforms;
  }

  /**
   * @throws ConfigurationException naming everything that cannot be used
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

  /** What a vault was started with ends with the vault. */
  @Override
  public void close() {
    transforms.close();
  }
}
