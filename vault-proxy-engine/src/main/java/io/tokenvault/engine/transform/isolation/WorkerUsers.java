package io.tokenvault.engine.transform.isolation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Range of user ids for workers, if the server may choose them.
 *
 * <p>The ids belong to no other user. Consecutive workers run as different users, so that they
 * cannot access each other.
 *
 * @param first the first id
 * @param count the number of ids
 */
record WorkerUsers(int first, int count) {

  /** Above all ids that operating systems and containers assign. */
  private static final WorkerUsers HIGH = new WorkerUsers(1_900_000_000, 1_000_000);

  /** For containers with 65536 users; by convention these ids are not assigned. */
  private static final WorkerUsers LOW = new WorkerUsers(65_520, 14);

  /** Returns the ranges to try, in this order. */
  static Stream<WorkerUsers> ranges() {
    return Stream.of(HIGH, LOW);
  }

  /** Returns whether this process is root as far as the operating system reports. */
  static boolean mayBeChosen() {
    try {
      return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  /**
   * Returns the user id of a worker.
   *
   * @param worker a sequence number, which may overflow
   */
  int user(int worker) {
    return first + Math.floorMod(worker, count);
  }
}
