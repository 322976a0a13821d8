package io.tokenvault.engine.transform.pool;

import java.time.Duration;

/**
 * How many workers there are, and who waits for them how long.
 *
 * @param size workers at most
 * @param spares how many of them are to be ready for whoever comes, as long as there is room
 * @param ahead whether spares are kept always; else from the first use until the pool is idle
 * @param perTenant how many workers one tenant may use at once
 * @param queue how many may wait beyond those that a worker is being started for
 * @param longestWait how long one may wait
 * @param idle after which a worker ends that nobody uses
 * @param grace beyond the limit of an invocation, which the worker keeps to itself, before it is
 *     killed
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

  private static final Duration PATIENCE = Duration.ofHours(1);

  public PoolSettings {
    if (size < 1 || spares < 0 || spares > size || perTenant < 1 || queue < 0) {
      throw new IllegalArgumentException("settings of a pool of workers are out of bounds");
    }
  }

  /** For running transforms. One tenant leaves a worker to others, if there are several. */
  public static PoolSettings forTransforms(int size) {
    return new PoolSettings(
        size,
        Math.max(1, size / 4),
        true,
        Math.max(1, size - 1),
        16 * size,
        Duration.ofSeconds(5),
        Duration.ofMinutes(5),
        Duration.ofMillis(250),
        WorkerSettings.forTransforms());
  }

  /**
   * For compiling at save time: started on demand, since a compiler takes much memory. One tenant
   * never uses the last of them.
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

  /** The same for one who has all workers and waits for them, whatever else the machine does. */
  public PoolSettings patient() {
    return new PoolSettings(
        size,
        spares,
        ahead,
        perTenant,
        queue,
        PATIENCE,
        idle,
        grace,
        new WorkerSettings(
            worker.heapMib(),
            worker.stackKib(),
            PATIENCE,
            worker.maxUses(),
            worker.maxBundles(),
            worker.longRunning()));
  }
}
