package io.tokenvault.adapters.jdbi;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.RecordedEntry;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.spi.AuditLog;
import io.tokenvault.ports.spi.LogFilter;
import io.tokenvault.ports.spi.LogPosition;
import io.tokenvault.ports.spi.Page;
import io.tokenvault.ports.spi.PageRequest;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.statement.StatementContext;
import org.jdbi.v3.core.statement.StatementCustomizer;
import org.postgresql.PGStatement;

/** The audit log in PostgreSQL. */
final class JdbiAuditLog implements AuditLog {

  private static final String COLUMNS =
      "tenant_id, created_at, sequence, actor_id, actor_type, entity_type, entity_id, operation,"
          + " message";
  private static final String ORDER = "created_at DESC, sequence DESC";

  // All entries that the vault wrote: a row that says something else is for 'audit verify'.
  private static final String USUAL = LogTimes.USUAL.formatted("created_at");

  private static final Paging NEWEST_FIRST = new Paging(COLUMNS, "audit_entry", ORDER);

  // The first condition follows from the second, and lets newer partitions be left out.
  private static final String OLDER =
      "created_at <= %s AND (created_at, sequence) < (%s, %s::bigint)";

  // Spelled out, so that the database knows that its index of such entries serves.
  private static final String ABOUT_ALL = "entity_id = '" + AuditEntry.ALL_ENTITIES + "'";

  // A plan for any values might sort a whole month where one for these reads a few entries in
  // order.
  private static final StatementCustomizer PLANNED_FOR_ITS_VALUES =
      new StatementCustomizer() {
        @Override
        public void beforeExecution(PreparedStatement statement, StatementContext context)
            throws SQLException {
          statement.unwrap(PGStatement.class).setPrepareThreshold(0);
        }
      };

  private final Database database;

  JdbiAuditLog(Database database) {
    this.database = database;
  }

  @Override
  public Page<RecordedEntry> list(TenantId tenantId, LogFilter filter, PageRequest request) {
    Filter conditions = conditions(tenantId, filter);
    return database.run(handle -> NEWEST_FIRST.page(handle, conditions, request, Entries::read));
  }

  @Override
  public List<RecordedEntry> walk(
      TenantId tenantId, LogFilter filter, Optional<LogPosition> after, int size) {
    Filter conditions = conditions(tenantId, filter);
    after.ifPresent(position -> conditions.and(older(conditions, position)));
    String statement =
        "SELECT %s FROM audit_entry WHERE %s ORDER BY %s LIMIT :size"
            .formatted(COLUMNS, conditions.sql(), ORDER);
    return database.run(
        handle ->
            conditions
                .bindTo(handle.createQuery(statement))
                .addCustomizer(PLANNED_FOR_ITS_VALUES)
                .bind("size", size)
                .map(Entries::read)
                .list());
  }

  private static String older(Filter filter, LogPosition position) {
    return filter.condition(
        OLDER,
        SqlValues.time(position.createdAt()),
        SqlValues.time(position.createdAt()),
        position.sequence());
  }

  private static Filter conditions(TenantId tenantId, LogFilter filter) {
    Filter conditions =
        Filter.of(tenantId)
            .and(USUAL)
            .andIf(filter.entityType(), "entity_type = %s", type -> type)
            .andIf(filter.from(), "created_at >= %s", SqlValues::time)
            .andIf(filter.until(), "created_at < %s", SqlValues::time);
    return filter.entityId().filter(AuditEntry.ALL_ENTITIES::equals).isPresent()
        ? conditions.and(ABOUT_ALL)
        : conditions.andIf(filter.entityId(), "entity_id = %s", id -> id);
  }
}
