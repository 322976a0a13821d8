package io.tokenvault.engine.transform.isolation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The numbers of users that workers run as, if the server may choose: nobody else's, and one worker
 * is another user than the next, so that they cannot reach each other either.
 */
record WorkerUsers(int first, int count) {

  /** Above all that systems and containers give away. */
  private static final WorkerUsers HIGH = new WorkerUsers(1_900_000_000, 1_000_000);

  /** For containers that have 65536 users; these are assigned to nobody by convention. */
  private static final WorkerUsers LOW = new WorkerUsers(65_520, 14);

  static Stream<WorkerUsers> ranges() {
    return Stream.of(HIGH, LOW);
  }

  /** Whether this process is root, as far as the system tells. */
  static boolean mayBeChosen() {
    try {
      return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  int user(int worker) {
    return first + Math.floorMod(worker, count);
  }
}
