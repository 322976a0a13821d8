package io.tokenvault.engine.transform.pool;

import java.time.Duration;
import java.util.List;

/**
 * Settings of one worker process and its lifetime.
 *
 * @param heapMib the heap of the JVM in MiB, shared by the script and the worker's program
 * @param stackKib the stack of the worker's first thread in KiB, and the default of others
 * @param startLimit the time from the start of the process to {@code Ready}
 * @param maxUses the number of uses after which a worker is replaced
 * @param maxBundles the number of bundles after which a worker is replaced
 * @param longRunning whether to use both compilers of the JVM: with the optimizing one, a worker
 *     takes a third more memory and up to twice the time to start, and warm invocations take about
 *     half the time
 */
public record WorkerSettings(
    int heapMib,
    int stackKib,
    Duration startLimit,
    int maxUses,
    int maxBundles,
    boolean longRunning) {

  /** Returns settings for workers that run transforms. */
  public static WorkerSettings forTransforms() {
    return new WorkerSettings(96, 1024, Duration.ofSeconds(60), 100_000, 200, true);
  }

  /**
   * Returns settings for workers that compile: the compiler takes about 300 MB, deep stacks and a
   * long time to load.
   */
  public static WorkerSettings forCompiling() {
    return new WorkerSettings(512, 16 * 1024, Duration.ofSeconds(120), 1000, 1000, false);
  }

  /**
   * Validates the settings.
   *
   * @throws IllegalArgumentException if a number is not positive
   */
  public WorkerSettings {
    if (heapMib < 1 || stackKib < 1 || maxUses < 1 || maxBundles < 1) {
      throw new IllegalArgumentException("settings of workers must be positive");
    }
  }

  /**
   * Returns the flags of the JVM. Its messages are sent to standard error, which is discarded, and
   * it writes no files, since both could contain data.
   */
  List<String> flags() {
    return List.of(
        "-Xmx" + heapMib + "m",
        "-Xss" + stackKib + "k",
        "-XX:+UseSerialGC",
        "-XX:+ExitOnOutOfMemoryError",
        "-XX:TieredStopAtLevel=" + (longRunning ? 4 : 1),
        "-Xshare:auto",
        "-XX:-UsePerfData",
        "-XX:-UseContainerSupport",
        "-XX:+DisableAttachMechanism",
        "-XX:+SuppressFatalErrorMessage",
        "-XX:+DisplayVMOutputToStderr",
        "-Xlog:disable",
        "-Dfile.encoding=UTF-8",
        "-Duser.timezone=UTC",
        "-Duser.language=en",
        "-Duser.country=US");
  }
}
