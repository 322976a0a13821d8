package io.tokenvault.engine.transform.pool;

import java.time.Duration;
import java.util.List;

/**
 * How workers are started, and when they have served long enough.
 *
 * @param heapMib at most, for the script and the worker's program together
 * @param stackKib of the thread that the worker starts with, and of others unless they choose
 * @param startLimit from the start to {@code Ready}
 * @param maxUses after which a worker is replaced
 * @param maxBundles that a worker keeps before it is replaced
 * @param longRunning whether to use both compilers of the JVM: with the better one a worker takes a
 *     third more memory and up to twice the time to start, and invocations about half, once warm
 */
public record WorkerSettings(
    int heapMib,
    int stackKib,
    Duration startLimit,
    int maxUses,
    int maxBundles,
    boolean longRunning) {

  /** For workers that run transforms. */
  public static WorkerSettings forTransforms() {
    return new WorkerSettings(96, 1024, Duration.ofSeconds(60), 100_000, 200, true);
  }

  /** For workers that compile: the compiler takes some 300 MB, deep stacks, and long to load. */
  public static WorkerSettings forCompiling() {
    return new WorkerSettings(512, 16 * 1024, Duration.ofSeconds(120), 1000, 1000, false);
  }

  public WorkerSettings {
    if (heapMib < 1 || stackKib < 1 || maxUses < 1 || maxBundles < 1) {
      throw new IllegalArgumentException("settings of workers must be positive");
    }
  }

  /**
   * What the JVM has to say goes to its standard error, which is dropped, and it writes no files:
   * either could hold data.
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
