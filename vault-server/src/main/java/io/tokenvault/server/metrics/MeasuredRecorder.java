package io.tokenvault.server.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.store.Preconditions;
import java.time.Duration;
import java.util.List;

/**
 * Measures how long requests wait for their audit entries, failures to write them, and denied
 * requests.
 *
 * <p>It delegates to the recorder and never changes its result.
 */
final class MeasuredRecorder implements AuditRecorder {

  static final String FAILURES = "vault.audit.write.failures";
  static final String OF_FAILURES =
      "Requests that failed because their entries could not be written, with a change or alone";

  private static final Duration[] BOUNDS = {
    Duration.ofMillis(1),
    Duration.ofMillis(5),
    Duration.ofMillis(25),
    Duration.ofMillis(100),
    Duration.ofMillis(500),
    Duration.ofSeconds(3)
  };

  private final AuditRecorder recorder;
  private final RefusalCounts refusals;
  private final Timer lag;
  private final Counter failures;
  private final Counter dropped;

  MeasuredRecorder(AuditRecorder recorder, MeterRegistry registry) {
    this.recorder = recorder;
    this.refusals = new RefusalCounts(registry);
    this.lag =
        Timer.builder("vault.audit.record")
            .description("How long requests wait until their entries are durable")
            .serviceLevelObjectives(BOUNDS)
            .register(registry);
    this.failures =
        Counter.builder(FAILURES).description(OF_FAILURES).tag("of", "records").register(registry);
    this.dropped =
        Counter.builder("vault.audit.outcomes.dropped")
            .description("Second entries, of how an invocation ended, that there was no room for")
            .register(registry);
  }

  @Override
  public Outcome record(List<AuditEntry> entries, Preconditions versions) {
    long start = System.nanoTime();
    Outcome outcome;
    try {
      outcome = recorder.record(entries, versions);
    } catch (RuntimeException failed) {
      failures.increment();
      throw failed;
    }
    lag.record(Duration.ofNanos(System.nanoTime() - start));
    if (outcome == Outcome.RECORDED) {
      refusals.count(entries);
    }
    return outcome;
  }

  /**
   * {@inheritDoc}
   *
   * <p>Counts the entries that were discarded because the queue was full.
   */
  @Override
  public boolean recordSoon(List<AuditEntry> entries) {
    boolean taken = recorder.recordSoon(entries);
    if (!taken) {
      dropped.increment();
    }
    return taken;
  }

  /** Counts denied requests by application. */
  private static final class RefusalCounts {

    private final ApplicationCounters counts;

    RefusalCounts(MeterRegistry registry) {
      this.counts =
          new ApplicationCounters(
              registry,
              "vault.refusals",
              "Requests that were refused and recorded as such, by application");
    }

    /** Counts the entries of one request as at most one denial, however many they are. */
    void count(List<AuditEntry> entries) {
      entries.stream()
          .filter(AuditEntry::isRefusal)
          .findFirst()
          .ifPresent(entry -> counts.count(entry.actor().id()));
    }
  }
}
