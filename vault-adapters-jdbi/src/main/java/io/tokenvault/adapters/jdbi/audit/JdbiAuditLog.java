package io.tokenvault.adapters.jdbi.audit;

import io.tokenvault.adapters.jdbi.sql.Database;
import io.tokenvault.adapters.jdbi.sql.EntryRows;
import io.tokenvault.adapters.jdbi.sql.PageQuery;
import io.tokenvault.adapters.jdbi.sql.QueryFilter;
import io.tokenvault.adapters.jdbi.sql.SqlValues;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.audit.RecordedEntry;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.AuditLog;
import io.tokenvault.ports.audit.LogFilter;
import io.tokenvault.ports.audit.LogPosition;
import io.tokenvault.ports.store.Page;
import io.tokenvault.ports.store.PageRequest;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;
import org.jdbi.v3.core.statement.StatementCustomizer;
import org.postgresql.PGStatement;

/**
 * The audit log in PostgreSQL, newest entries first.
 *
 * <p>Conditions on time are shaped such that the planner reads an index in order and stops after a
 * page, however many entries the log has.
 */
public final class JdbiAuditLog implements AuditLog {

  private static final String COLUMNS =
      "tenant_id, created_at, sequence, actor_id, actor_type, entity_type, entity_id, operation,"
          + " message";

  /** The newest entry first; the sequence orders entries with one timestamp. */
  private static final String ORDER = "created_at DESC, sequence DESC";

  private static final PageQuery NEWEST_FIRST = new PageQuery(COLUMNS, EntryRows.TABLE, ORDER);

  // Selects the entries after a position. This is not a row comparison: with other limits beside
  // it, PostgreSQL may start reading its index at those and skip all entries up to the position, or
  // assume so few matches that it reads and sorts all of them.
  private static final String OLDER =
      "created_at <= %s AND NOT (created_at = %s AND sequence >= %s::bigint)";

  // Plans each statement for its values: a plan for any values might sort a whole month where the
  // right one reads a few entries in order.
  private static final StatementCustomizer PLANNED_FOR_ITS_VALUES =
      new StatementCustomizer() {
        @Override
        public void beforeExecution(PreparedStatement statement, StatementContext context)
            throws SQLException {
          statement.unwrap(PGStatement.class).setPrepareThreshold(0);
        }
      };

  private final EntityEntries entityEntries = new EntityEntries();
  private final Database database;

  public JdbiAuditLog(Database database) {
    this.database = database;
  }

  @Override
  public Page<RecordedEntry> list(TenantId tenantId, LogFilter filter, PageRequest request) {
    QueryFilter conditions = conditions(tenantId, filter, Optional.empty());
    // An entity's entries can be read from a narrower source than the log.
    return database.run(
        handle ->
            NEWEST_FIRST
                .from(source(handle, tenantId, filter, conditions))
                .page(handle, conditions, request, EntryRows::read));
  }

  @Override
  public List<RecordedEntry> walk(
      TenantId tenantId, LogFilter filter, Optional<LogPosition> after, int size) {
    QueryFilter conditions = conditions(tenantId, filter, after);
    return database.run(
        handle ->
            conditions
                .bindTo(
                    handle.createQuery(
                        walk(source(handle, tenantId, filter, conditions), conditions)))
                .addCustomizer(PLANNED_FOR_ITS_VALUES)
                .bind("limit", size)
                .bind("offset", 0L)
                .map(EntryRows::read)
                .list());
  }

  /** Returns the statement that reads a number of entries without counting all of them. */
  private static String walk(String source, QueryFilter conditions) {
    return "SELECT %s FROM %s WHERE %s ORDER BY %s LIMIT :limit OFFSET :offset"
        .formatted(COLUMNS, source, conditions.sql(), ORDER);
  }

  /** Returns the log, or the faster source for the entries of one entity without a type. */
  private String source(
      Handle handle, TenantId tenantId, LogFilter filter, QueryFilter conditions) {
    return filter
        .entityId()
        .filter(id -> filter.entityType().isEmpty())
        .map(id -> entityEntries.source(handle, tenantId, id, conditions, ORDER))
        .orElse(EntryRows.TABLE);
  }

  /** Returns the conditions of a list, or of the part of it after a position. */
  private static QueryFilter conditions(
      TenantId tenantId, LogFilter filter, Optional<LogPosition> after) {
    QueryFilter conditions =
        QueryFilter.of(tenantId)
            .andIf(filter.entityType(), "entity_type = %s", type -> type)
            .andIf(filter.entityId(), "entity_id = %s", id -> id)
            .andIf(filter.actorId(), "actor_id = %s", id -> id)
            .andIf(filter.operation(), "operation = %s", Operation::value);
    return conditions.and(begin(conditions, filter)).and(end(conditions, filter, after));
  }

  // Restricts to times that the vault can have written; verification reports rows with others.
  private static String begin(QueryFilter conditions, LogFilter filter) {
    Instant first = filter.from().filter(LogTimestamps.FIRST::isBefore).orElse(LogTimestamps.FIRST);
    return conditions.condition("created_at >= %s", SqlValues.time(first));
  }

  /**
   * Returns the most restrictive condition on the end only, since several would make the planner
   * underestimate the number of matches.
   */
  private static String end(QueryFilter conditions, LogFilter filter, Optional<LogPosition> after) {
    Instant end = filter.until().filter(LogTimestamps.END::isAfter).orElse(LogTimestamps.END);
    return after
        .filter(position -> position.createdAt().isBefore(end))
        .map(position -> older(conditions, position))
        .orElseGet(() -> conditions.condition("created_at < %s", SqlValues.time(end)));
  }

  /** Returns the condition for entries after a position in the list. */
  private static String older(QueryFilter conditions, LogPosition position) {
    OffsetDateTime time = SqlValues.time(position.createdAt());
    return conditions.condition(OLDER, time, time, position.sequence());
  }
}
