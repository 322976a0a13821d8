package io.tokenvault.server.config;

import io.tokenvault.server.config.Configuration.TransformLimits;
import io.tokenvault.server.config.Configuration.Transforms;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Reads the limits and processes of transforms.
 *
 * <p>By default there is a worker for each processor, but at least two.
 */
final class TransformsReader {

  private static final int LEAST_WORKERS = 2;
  private static final Pattern MODULE_NAME =
      Pattern.compile("(?:@[a-z0-9][a-z0-9._-]*/)?[a-z0-9][a-z0-9._-]*", Pattern.CASE_INSENSITIVE);

  private final SettingValues values;

  TransformsReader(SettingValues values) {
    this.values = values;
  }

  /** Returns the settings; times are at most ten minutes each. */
  Transforms read() {
    return new Transforms(
        (int)
            values.number(
                Setting.TRANSFORM_WORKERS,
                Math.max(LEAST_WORKERS, Runtime.getRuntime().availableProcessors())),
        values.count(Setting.TRANSFORM_SPARE_WORKERS),
        values.count(Setting.TRANSFORM_COMPILERS),
        values.millis(Setting.TRANSFORM_COMPILE_CPU_MS),
        values.count(Setting.TRANSFORM_QUEUE),
        values.millis(Setting.TRANSFORM_QUEUE_WAIT_MS),
        values.choice(Setting.TRANSFORM_ISOLATION, "preferred", "required"),
        limits(),
        modulesDirectory(),
        errorModules());
  }

  private TransformLimits limits() {
    return new TransformLimits(
        values.millis(Setting.TRANSFORM_CPU_MS),
        values.millis(Setting.TRANSFORM_TIMEOUT_MS),
        values.count(Setting.TRANSFORM_MEMORY_MIB),
        values.count(Setting.TRANSFORM_ALLOCATION_MIB),
        values.number(Setting.TRANSFORM_INSTRUCTIONS, 1),
        values.count(Setting.TRANSFORM_BODY_BYTES),
        values.count(Setting.TRANSFORM_CALLS));
  }

  /** Returns the directory of modules; its content is checked when the workers start. */
  private Optional<Path> modulesDirectory() {
    Optional<Path> directory = values.path(Setting.TRANSFORM_MODULES_DIR);
    if (directory.isPresent() && !Files.isDirectory(directory.get())) {
      values.problem(Setting.TRANSFORM_MODULES_DIR, "must name a directory");
    }
    return directory;
  }

  /** Returns further names of the module of error classes, as in npm: optional scope and name. */
  private List<String> errorModules() {
    List<String> names = values.list(Setting.TRANSFORM_MODULE_ALIASES);
    names.stream()
        .filter(name -> !MODULE_NAME.matcher(name).matches())
        .forEach(
            name ->
                values.problem(
                    Setting.TRANSFORM_MODULE_ALIASES,
                    "must be names of modules separated by commas; invalid: " + name));
    return names;
  }
}
