package io.tokenvault.ports.usecase.audit;

import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.audit.FeedPosition;
import io.tokenvault.ports.audit.FeedSink;
import io.tokenvault.ports.audit.LogFeed;
import io.tokenvault.ports.audit.LogFeed.Batch;
import io.tokenvault.ports.audit.LogFeed.Selection;
import io.tokenvault.ports.usecase.authorization.AuditTrail;
import java.util.HashSet;
import java.util.Set;

/**
 * Exports chained entries of the audit log for the operator, up to the end of the chains at the
 * start. The export is recorded in the log of each tenant before its first entry is copied.
 */
public final class ExportLog {

  private static final int BATCH = 1000;

  private final LogFeed feed;
  private final AuditTrail trail;

  public ExportLog(LogFeed feed, AuditRecorder recorder) {
    this.feed = feed;
    this.trail = new AuditTrail(recorder);
  }

  /**
   * Exports entries after a position.
   *
   * @param after an exclusive bound, such as the position that an earlier export reached
   * @throws ValidationException if the position lies after the end
   * @throws java.io.UncheckedIOException if the sink fails
   */
  public Exported run(Selection selection, FeedPosition after, FeedSink sink) {
    Set<TenantId> recorded = new HashSet<>();
    FeedPosition last = feed.end();
    if (after.compareTo(last) > 0) {
      throw ValidationException.of("position", "is after the end of this log");
    }
    Exported exported = new Exported(0, after, 0);
    while (exported.reached().compareTo(last) < 0) {
      Batch batch = feed.read(selection, exported.reached(), last, BATCH);
      batch.entries().stream()
          .map(fed -> fed.entry().tenantId())
          .filter(recorded::add)
          .forEach(this::record);
      sink.accept(batch.entries());
      exported = exported.plus(batch);
    }
    return exported;
  }

  /** Exports entries from the first one that can match the selection. */
  public Exported run(Selection selection, FeedSink sink) {
    return run(selection, selection.from().map(feed::before).orElse(FeedPosition.START), sink);
  }

  private void record(TenantId tenant) {
    trail.record(AuditTrail.logEntry(tenant, Operation.READ, "Log exported"));
  }

  /**
   * The result of an export, or of a run of {@link StreamLog}.
   *
   * @param entries the number of exported entries
   * @param reached the position to continue from
   * @param missing as in {@link Batch#missing}
   */
  public record Exported(long entries, FeedPosition reached, long missing) {

    Exported plus(Batch batch) {
      return new Exported(
          entries + batch.entries().size(), batch.reached(), missing + batch.missing());
    }
  }
}
