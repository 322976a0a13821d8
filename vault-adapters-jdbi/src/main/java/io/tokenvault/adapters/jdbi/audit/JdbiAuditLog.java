package io.tokenvault.adapters.jdbi.audit;

import io.tokenvault.adapters.jdbi.sql.Database;
import io.tokenvault.adapters.jdbi.sql.EntryRows;
import io.tokenvault.adapters.jdbi.sql.FilteredQuery;
import io.tokenvault.adapters.jdbi.sql.FilteredQuery.Listing;
import io.tokenvault.adapters.jdbi.sql.SqlValues;
import io.tokenvault.adapters.jdbi.sql.StoredRows;
import io.tokenvault.domain.audit.Actor;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.audit.RecordedEntry;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.AuditLog;
import io.tokenvault.ports.audit.LogFilter;
import io.tokenvault.ports.audit.LogPosition;
import io.tokenvault.ports.store.Page;
import io.tokenvault.ports.store.PageRequest;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
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
          + " message, trace_id";

  /** The newest entry first; the sequence orders entries with one timestamp. */
  private static final String ORDER = "created_at DESC, sequence DESC";

  private static final Listing NEWEST_FIRST = new Listing(COLUMNS, EntryRows.TABLE, ORDER);

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

  private static final Map<String, EntityType> TYPES =
      EntityType.all().stream().collect(Collectors.toMap(EntityType::value, Function.identity()));

  private final Database database;
  private volatile EntityIndex entityIndex = EntityIndex.NONE;

  public JdbiAuditLog(Database database) {
    this.database = database;
  }

  @Override
  public Page<RecordedEntry> list(TenantId tenantId, LogFilter filter, PageRequest request) {
    return database.run(
        handle -> {
          EntityIndex index = index(handle, filter);
          FilteredQuery conditions = conditions(tenantId, filter, Optional.empty(), index);
          return conditions.page(
              handle,
              NEWEST_FIRST,
              source(tenantId, filter, conditions, index),
              request,
              JdbiAuditLog::read);
        });
  }

  @Override
  public List<RecordedEntry> walk(
      TenantId tenantId, LogFilter filter, Optional<LogPosition> after, int size) {
    return database.run(
        handle -> {
          EntityIndex index = index(handle, filter);
          FilteredQuery conditions = conditions(tenantId, filter, after, index);
          String source = source(tenantId, filter, conditions, index);
          return conditions
              .bindTo(
                  handle.createQuery(
                      "SELECT %s FROM %s WHERE %s ORDER BY %s LIMIT :limit OFFSET :offset"
                          .formatted(COLUMNS, source, conditions.sql(), ORDER)))
              .addCustomizer(PLANNED_FOR_ITS_VALUES)
              .bind("limit", size)
              .bind("offset", 0L)
              .map(JdbiAuditLog::read)
              .list();
        });
  }

  /** Returns the index to find an entity's entries by. Once it has the newest form, it keeps it. */
  private EntityIndex index(Handle handle, LogFilter filter) {
    if (filter.entityId().isPresent() && entityIndex != EntityIndex.HASHED) {
      entityIndex = EntityIndex.of(handle);
    }
    return entityIndex;
  }

  /** Returns the log, or the faster source for the entries of one entity without a type. */
  private static String source(
      TenantId tenantId, LogFilter filter, FilteredQuery conditions, EntityIndex index) {
    return filter
        .entityId()
        .filter(id -> filter.entityType().isEmpty())
        .map(id -> index.source(tenantId, id, conditions, ORDER))
        .orElse(EntryRows.TABLE);
  }

  /** Returns the conditions of a list, or of the part of it after a position. */
  private static FilteredQuery conditions(
      TenantId tenantId, LogFilter filter, Optional<LogPosition> after, EntityIndex index) {
    FilteredQuery conditions =
        filter
            .entityId()
            .map(id -> index.filter(tenantId, id))
            .orElseGet(() -> FilteredQuery.of(tenantId))
            .andIf(filter.entityType(), "entity_type = %s", type -> type)
            .andIf(filter.actorId(), "actor_id = %s", id -> id)
            .andIf(filter.operation(), "operation = %s", Operation::value);
    return conditions.and(begin(conditions, filter)).and(end(conditions, filter, after));
  }

  // Restricts to times that the vault can have written; verification reports rows with others.
  private static String begin(FilteredQuery conditions, LogFilter filter) {
    Instant first = filter.from().filter(StoredEntries.FIRST::isBefore).orElse(StoredEntries.FIRST);
    return conditions.condition("created_at >= %s", SqlValues.time(first));
  }

  /**
   * Returns the most restrictive condition on the end only, since several would make the planner
   * underestimate the number of matches.
   */
  private static String end(
      FilteredQuery conditions, LogFilter filter, Optional<LogPosition> after) {
    Instant end = filter.until().filter(StoredEntries.END::isAfter).orElse(StoredEntries.END);
    return after
        .filter(position -> position.createdAt().isBefore(end))
        .map(position -> older(conditions, position))
        .orElseGet(() -> conditions.condition("created_at < %s", SqlValues.time(end)));
  }

  /** Returns the condition for entries after a position in the list. */
  private static String older(FilteredQuery conditions, LogPosition position) {
    OffsetDateTime time = SqlValues.time(position.createdAt());
    return conditions.condition(OLDER, time, time, position.sequence());
  }

  /**
   * Reads an entry for a list. Tolerates any content: a row that the vault did not write must not
   * hide the others, so unknown types stay as they are, unknown operations become {@link
   * Operation#UNKNOWN}, and long messages and trace ids are cut.
   */
  private static RecordedEntry read(ResultSet row, StatementContext context) throws SQLException {
    String type = text(row, "entity_type");
    AuditEntry entry =
        new AuditEntry(
            StoredRows.tenantId(row),
            new Actor(
                Optional.ofNullable(row.getObject("actor_id", UUID.class)),
                Optional.ofNullable(row.getString("actor_type"))),
            TYPES.getOrDefault(type, new EntityType(type, type)),
            text(row, "entity_id"),
            Operation.of(text(row, "operation")).orElse(Operation.UNKNOWN),
            shortened(text(row, "message"), AuditEntry.MAX_MESSAGE_LENGTH),
            Optional.ofNullable(row.getString("trace_id"))
                .map(id -> shortened(id, AuditEntry.MAX_TRACE_ID_LENGTH)));
    return new RecordedEntry(entry, StoredRows.time(row, "created_at"), row.getLong("sequence"));
  }

  /** Returns the value of a column, or an empty string for NULL. */
  private static String text(ResultSet row, String column) throws SQLException {
    return Objects.requireNonNullElse(row.getString(column), "");
  }

  /** Cuts a text to its maximum length without splitting a surrogate pair. */
  private static String shortened(String text, int end) {
    if (text.length() <= end) {
      return text;
    }
    return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end);
  }
}
