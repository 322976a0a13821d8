package io.tokenvault.benchmark;

import io.tokenvault.benchmark.program.Destination;
import io.tokenvault.benchmark.program.LoadResult;
import io.tokenvault.benchmark.program.VaultUnderTest;
import io.tokenvault.server.environment.DatabaseAddress;
import io.tokenvault.server.environment.RunningProgram;
import java.util.function.Supplier;

/** Checks that the audit log has all requests that reached the destination. */
final class AuditLogCheck {

  private static final long POLL_INTERVAL_MILLIS = 300;
  private static final String COUNT =
      """
      SELECT concat_ws(
        ' ',
        count(*) FILTER (WHERE message = 'Proxy invoked'),
        count(*) FILTER (WHERE message = 'Token used'))
      FROM audit_entry""";

  private final VaultUnderTest vault;
  private final Destination destination;
  private Counts total = new Counts(0, 0, 0);

  AuditLogCheck(VaultUnderTest vault, Destination destination) {
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

  /** Runs a measurement, and counts its requests and audit entries. */
  LoadResult during(Supplier<LoadResult> measurement) {
    Counts before = countsWhenIdle();
    LoadResult load = measurement.get();
    total = total.plus(countsWhenIdle(), before);
    return load;
  }

  /** Returns the counts once requests in flight at the end of a measurement have completed. */
  private Counts countsWhenIdle() {
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
    RunningProgram.pause(POLL_INTERVAL_MILLIS);
    String[] recorded = database.select(COUNT).get(0).split(" ");
    return new Counts(
        destination.requests(), Long.parseLong(recorded[0]), Long.parseLong(recorded[1]));
  }

  /**
   * Checks the counts. Requests are recorded before they are sent, and wrk aborts requests at the
   * end, so that some may be recorded that did not arrive.
   *
   * @param inFlight the maximum number of requests in flight at the ends of measurements
   * @throws IllegalStateException if the log does not match the requests
   */
  void verify(Report report, long inFlight) {
    report.line(
        "log: %d requests arrived; %d invocations and %d uses recorded",
        total.arrived, total.invoked, total.used);
    if (total.invoked != total.used
        || total.invoked < total.arrived
        || total.invoked > total.arrived + inFlight) {
      throw new IllegalStateException("the log does not match the requests at the destination");
    }
  }
}
