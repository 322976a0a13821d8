package io.tokenvault.engine.transform.pool;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Settings of a pool: its size, its queue and the lifetime of its workers.
 *
 * @param size the greatest number of workers
 * @param spares the number of unassigned workers to keep ready, as far as the size allows
 * @param ahead whether spares are kept all the time; otherwise from the first use until the pool is
 *     idle
 * @param perTenant the greatest number of workers that one tenant may use at once
 * @param queue the number of tasks that may wait beyond those that the pool has room to serve
 * @param idle the time after which an unused worker ends
 * @param grace the time beyond the limit of an invocation, which the worker itself enforces, after
 *     which the server kills the worker
 */
public record PoolSettings(
    int size,
    int spares,
    boolean ahead,
    int perTenant,
    int queue,
    Duration longestWait,
    Duration idle,
    Duration grace,
    WorkerSettings worker) {

  /** The time limit for waiting, and for starting a worker, in {@link #withLongWaits}. */
  private static final Duration LONG_WAIT = Duration.ofHours(1);

  /**
   * Validates the settings.
   *
   * @throws IllegalArgumentException if a number is out of bounds
   */
  public PoolSettings {
    if (size < 1 || spares < 0 || spares > size || perTenant < 1 || queue < 0) {
      throw new IllegalArgumentException("settings of a pool of workers are out of bounds");
    }
  }

  /**
   * Returns settings for compiling transforms when they are saved. Workers start on demand, since a
   * compiler takes much memory, and one tenant never uses the last of them.
   *
   * @param perTenant the number of workers that one tenant may use; the pool has one more
   */
  public static PoolSettings forCompiling(int perTenant) {
    return new PoolSettings(
        perTenant + 1,
        0,
        false,
        perTenant,
        16,
        Duration.ofSeconds(60),
        Duration.ofMinutes(2),
        Duration.ofMillis(250),
        WorkerSettings.forCompiling());
  }

  /**
   * Returns these settings for a single worker that is started ahead and that one tenant may use.
   */
  public PoolSettings single() {
    return new PoolSettings(1, 0, true, 1, queue, longestWait, idle, grace, worker);
  }

  /**
   * Returns these settings with long time limits for waiting and starting, for a single user of the
   * pool on a busy machine.
   */
  public PoolSettings withLongWaits() {
    return new PoolSettings(
        size,
        spares,
        ahead,
        perTenant,
        queue,
        LONG_WAIT,
        idle,
        grace,
        new WorkerSettings(
            worker.heapMib(),
            worker.stackKib(),
            LONG_WAIT,
            worker.maxUses(),
            worker.maxTransforms(),
            worker.longRunning()));
  }

  /**
   * Settings of one worker process and its lifetime.
   *
   * @param heapMib the heap of the JVM in MiB, shared by the script and the worker's program
   * @param stackKib the stack of the worker's first thread in KiB, and the default of others
   * @param startLimit the time from the start of the process to {@code Ready}
   * @param maxUses the number of uses after which a worker is replaced
   * @param maxTransforms the number of transforms after which a worker is replaced
   * @param longRunning whether to use both compilers of the JVM: with the optimizing one, a worker
   *     takes a third more memory and up to twice the time to start, and warm invocations take
   *     about half the time
   */
  public record WorkerSettings(
      int heapMib,
      int stackKib,
      Duration startLimit,
      int maxUses,
      int maxTransforms,
      boolean longRunning) {

    /** Returns settings for workers that run transforms. */
    public static WorkerSettings forTransforms() {
      return new WorkerSettings(96, 1024, Duration.ofSeconds(60), 100_000, 200, true);
    }

    /**
     * Returns settings for workers that compile: large sources take much memory and deep stacks,
     * and the compiler takes a long time to load.
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
      if (heapMib < 1 || stackKib < 1 || maxUses < 1 || maxTransforms < 1) {
        throw new IllegalArgumentException("settings of workers must be positive");
      }
    }

    /**
     * Returns the flags of the JVM. Its messages are sent to standard error, which is discarded,
     * and it writes no files, since both could contain data.
     */
    List<String> flags() {
      List<String> flags =
          new ArrayList<>(
              List.of(
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
                  "-Duser.country=US"));
      if (longRunning) {
        // With less inlining, the code is as fast, and compiled after two thirds of the CPU time.
        flags.addAll(List.of("-XX:FreqInlineSize=100", "-XX:InlineSmallCode=1200"));
      } else {
        // A large young generation from the start: many collections of a small one cost more time.
        flags.add("-Xmn" + heapMib / 3 + "m");
      }
      return flags;
    }
  }
}
