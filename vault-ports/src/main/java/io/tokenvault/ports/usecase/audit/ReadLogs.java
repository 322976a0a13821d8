package io.tokenvault.ports.usecase.audit;

import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.RecordedEntry;
import io.tokenvault.ports.audit.AuditLog;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.audit.LogFilter;
import io.tokenvault.ports.audit.LogPosition;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.Page;
import io.tokenvault.ports.store.PageRequest;
import io.tokenvault.ports.usecase.authorization.AuditTrail;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.authorization.Requirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads the audit log (interface, section 4, Logs). Each read is recorded in the log; a request's
 * own entry is not in its response.
 */
public final class ReadLogs {

  public static final Requirement READ = Requirement.anyOf(Permission.LOG_READ);

  /** The memory that an entry takes in a response: as it was read, as a value and as JSON. */
  private static final long ENTRY = 2 << 10;

  /**
   * The number of entries that one walk examines for those of an actor or operation. The log has no
   * index for these: an index would cost more with every entry than such lists do.
   */
  static final int MAX_LOOKED_THROUGH = 20_000;

  private static final int CHUNK = 2_000;

  private final AuditLog log;
  private final AuditTrail trail;

  public ReadLogs(AuditLog log, AuditRecorder recorder) {
    this.log = log;
    this.trail = new AuditTrail(recorder);
  }

  /**
   * Returns a page of log entries, newest first.
   *
   * @param reservation the memory reservation for as many entries as are requested
   * @throws io.tokenvault.domain.failure.RefusedException if the caller lacks {@code log:read}
   */
  public Page<RecordedEntry> list(
      Caller caller, LogFilter filter, PageRequest request, MemoryReservation reservation) {
    trail.require(caller, READ);
    reservation.take(ENTRY * request.size());
    Page<RecordedEntry> page = log.list(caller.tenantId(), filter, request);
    recordSearch(caller);
    return page;
  }

  /**
   * Returns entries older than a position, newest first. If few entries match the requested actor
   * or operation, a slice can have fewer than {@code size} entries before the end of the log.
   *
   * @param after an exclusive bound; empty for the newest entries
   * @param reservation the memory reservation for as many entries as are requested
   * @throws io.tokenvault.domain.failure.RefusedException if the caller lacks {@code log:read}
   */
  public LogSlice walk(
      Caller caller,
      LogFilter filter,
      Optional<LogPosition> after,
      int size,
      MemoryReservation reservation) {
    trail.require(caller, READ);
    boolean byAnyone = filter.equals(filter.byAnyone());
    reservation.take(ENTRY * (byAnyone ? size : Math.max(size, CHUNK)));
    LogSlice slice =
        byAnyone ? slice(caller, filter, after, size) : search(caller, filter, after, size);
    recordSearch(caller);
    return slice;
  }

  private LogSlice slice(Caller caller, LogFilter filter, Optional<LogPosition> after, int size) {
    List<RecordedEntry> found = log.walk(caller.tenantId(), filter, after, size + 1);
    if (found.size() <= size) {
      return new LogSlice(found, Optional.empty());
    }
    List<RecordedEntry> entries = found.subList(0, size);
    return new LogSlice(entries, Optional.of(LogPosition.after(entries.get(size - 1))));
  }

  private LogSlice search(Caller caller, LogFilter filter, Optional<LogPosition> after, int size) {
    List<RecordedEntry> found = new ArrayList<>();
    Optional<LogPosition> next = after;
    int count = size;
    for (int looked = 0; looked < MAX_LOOKED_THROUGH; looked += count, count = CHUNK) {
      LogSlice chunk = slice(caller, filter.byAnyone(), next, count);
      for (RecordedEntry each : chunk.entries()) {
        if (filter.isBy(each.entry())) {
          found.add(each);
          if (found.size() == size) {
            return new LogSlice(found, Optional.of(LogPosition.after(each)));
          }
        }
      }
      next = chunk.next();
      if (next.isEmpty()) {
        break;
      }
    }
    return new LogSlice(found, next);
  }

  /** Returns the entity types that entries can have. */
  public List<EntityType> entityTypes(Caller caller) {
    trail.require(caller, READ);
    return EntityType.all();
  }

  private void recordSearch(Caller caller) {
    trail.record(
        AuditTrail.searchEntry(
            caller.tenantId(), caller.actor(), EntityType.LOG, "Log entries listed"));
  }

  /**
   * A part of the log.
   *
   * @param next the position to continue from; empty at the end of the log
   */
  public record LogSlice(List<RecordedEntry> entries, Optional<LogPosition> next) {
    public LogSlice {
      entries = List.copyOf(entries);
    }
  }
}
