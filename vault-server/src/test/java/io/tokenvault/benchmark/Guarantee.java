package io.tokenvault.benchmark;

import io.tokenvault.benchmark.program.Destination;
import io.tokenvault.benchmark.program.Load;
import io.tokenvault.benchmark.program.VaultUnderTest;
import io.tokenvault.server.place.DatabaseAddress;
import io.tokenvault.server.place.RunningProgram;
import java.util.function.Supplier;

/** Whether everything that reached the destination is in the log, while that was being measured. */
final class Guarantee {

  private static final long QUIET_MILLIS = 300;
  private static final String COUNT =
      """
      SELECT concat_ws(
        ' ',
        count(*) FILTER (WHERE message = 'Proxy invoked'),
        count(*) FILTER (WHERE message = 'Token used'))
      FROM audit_entry""";

  private final VaultUnderTest vault;
  private final Destination destination;
  private Counts sum = new Counts(0, 0, 0);

  Guarantee(VaultUnderTest vault, Destination destination) {
    this.vault = vault;
    this.destination = destination;
  }

  private record Counts(long arrived, long invoked, long used) {

    Counts plus(Counts later, Counts earlier) {
      return new Counts(
          arrived + later.arrived - earlier.arrived,
          invoked + later.invoked - earlier.invoked,
          used + later.used - earlier.used);
    }
  }

  /** Counts along while requests go through the vault. */
  Load during(Supplier<Load> measurement) {
    Counts before = whenQuiet();
    Load load = measurement.get();
    sum = sum.plus(whenQuiet(), before);
    return load;
  }

  /** Requests that were in flight when a measurement ended still go on for a moment. */
  private Counts whenQuiet() {
    DatabaseAddress database = vault.database();
    Counts earlier = counts(database);
    Counts later = counts(database);
    while (!later.equals(earlier)) {
      earlier = later;
      later = counts(database);
    }
    return later;
  }

  private Counts counts(DatabaseAddress database) {
    RunningProgram.pause(QUIET_MILLIS);
    String[] recorded = database.select(COUNT).get(0).split(" ");
    return new Counts(
        destination.requests(), Long.parseLong(recorded[0]), Long.parseLong(recorded[1]));
  }

  /**
   * Entries come before requests, and wrk leaves when its time is over: so many requests at most
   * were recorded and did not arrive.
   *
   * @param cutOff requests that may have been in flight when a measurement ended
   * @throws IllegalStateException if the log does not say what has happened
   */
  void verify(Report report, long cutOff) {
    report.line(
        "log: %d requests arrived; %d invocations and %d uses recorded",
        sum.arrived, sum.invoked, sum.used);
    if (sum.invoked != sum.used
        || sum.invoked < sum.arrived
        || sum.invoked > sum.arrived + cutOff) {
      throw new IllegalStateException("the log does not hold what the destination received");
    }
  }
}
