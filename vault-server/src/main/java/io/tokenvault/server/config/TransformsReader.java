package io.tokenvault.server.config;

import io.tokenvault.server.config.Configuration.TransformLimits;
import io.tokenvault.server.config.Configuration.Transforms;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Reads the limits and processes of transforms.
 *
 * <p>By default there is a worker for each processor, but at least two.
 */
final class TransformsReader {

  private static final int MAX_WORKERS = 1000;
  private static final int MAX_QUEUE = 100_000;
  private static final int MAX_MEMORY_MIB = 16 * 1024;
  private static final int MAX_ALLOCATION_MIB = 1024 * 1024;
  private static final int MAX_BODY_BYTES = 32 * 1024 * 1024;
  private static final int MIN_MEMORY_MIB = 16;
  private static final int MAX_CALLS = 10_000;
  private static final long MAX_TIME_MS = Duration.ofMinutes(10).toMillis();
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
        number(
            Setting.TRANSFORM_WORKERS,
            1,
            MAX_WORKERS,
            Math.max(LEAST_WORKERS, Runtime.getRuntime().availableProcessors())),
        number(Setting.TRANSFORM_SPARE_WORKERS, 0, MAX_WORKERS, 1),
        number(Setting.TRANSFORM_COMPILERS, 1, MAX_WORKERS, 1),
        time(Setting.TRANSFORM_COMPILE_CPU_MS),
        number(Setting.TRANSFORM_QUEUE, 0, MAX_QUEUE, 0),
        time(Setting.TRANSFORM_QUEUE_WAIT_MS),
        values.choice(Setting.TRANSFORM_ISOLATION, "preferred", "required"),
        limits(),
        modulesDirectory(),
        errorModules());
  }

  private TransformLimits limits() {
    return new TransformLimits(
        time(Setting.TRANSFORM_CPU_MS),
        time(Setting.TRANSFORM_TIMEOUT_MS),
        number(Setting.TRANSFORM_MEMORY_MIB, MIN_MEMORY_MIB, MAX_MEMORY_MIB, MIN_MEMORY_MIB),
        number(Setting.TRANSFORM_ALLOCATION_MIB, 1, MAX_ALLOCATION_MIB, 1),
        values.number(Setting.TRANSFORM_INSTRUCTIONS, 1, Long.MAX_VALUE, 1),
        number(Setting.TRANSFORM_BODY_BYTES, 1, MAX_BODY_BYTES, 1),
        number(Setting.TRANSFORM_CALLS, 0, MAX_CALLS, 0));
  }

  private int number(Setting setting, int min, int max, int fallback) {
    return (int) values.number(setting, min, max, fallback);
  }

  private Duration time(Setting setting) {
    return Duration.ofMillis(values.number(setting, 1, MAX_TIME_MS, 1));
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
