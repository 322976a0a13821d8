package io.tokenvault.server.assembly;

import io.tokenvault.engine.forward.TrustedAuthorities;
import io.tokenvault.engine.transform.TransformService;
import io.tokenvault.server.config.Configuration;
import io.tokenvault.server.config.ConfigurationException;
import io.tokenvault.server.config.Setting;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The resources that a vault needs besides its database.
 *
 * <p>They are prepared first: a file, a port or an operating system that cannot be used is reported
 * before anything is created or changed. A vault stops the workers that it was started with.
 */
public record StartPreparation(
    Configuration configuration, HostParts parts, TransformService transforms)
    implements AutoCloseable {

  /**
   * Checks listeners, engine and keyset, as far as the host application uses them, and starts the
   * worker processes of transforms.
   *
   * @throws ConfigurationException naming everything that cannot be used, not only the first
   *     problem
   */
  public static StartPreparation of(Configuration configuration, HostParts parts) {
    List<String> problems = new ArrayList<>();
    if (parts.listens()) {
      collect(problems, () -> Listeners.check(configuration.web()));
    }
    collect(problems, () -> checkAuthorities(configuration.proxy().extraAuthorities()));
    collect(problems, () -> KeysetFile.of(configuration, parts).loadIfThere());
    TransformService transforms = null;
    try {
      transforms =
          parts.runsTransforms() ? TransformWorkers.start(configuration) : TransformService.off();
    } catch (ConfigurationException unusable) {
      problems.addAll(unusable.problems());
    }
    if (!problems.isEmpty()) {
      if (transforms != null) {
        transforms.close();
      }
      throw new ConfigurationException(problems);
    }
    return new StartPreparation(configuration, parts, transforms);
  }

  /** Checks the certificates that the engine loads, so that its constructor does not fail. */
  private static void checkAuthorities(Optional<Path> file) {
    try {
      if (file.isPresent()) {
        TrustedAuthorities.load(file);
      }
    } catch (IllegalArgumentException noCertificate) {
      throw new ConfigurationException(
          Setting.EGRESS_CA_FILE.variable() + " names a file without PEM certificates");
    }
  }

  /** Runs a check and adds its problems to those that are already known. */
  private static void collect(List<String> problems, Runnable check) {
    try {
      check.run();
    } catch (ConfigurationException unusable) {
      problems.addAll(unusable.problems());
    }
  }

  /** Stops the workers. A vault that was started with them has stopped them already. */
  @Override
  public void close() {
    transforms.close();
  }
}
