package io.tokenvault.adapters.jdbi.audit;

import io.tokenvault.adapters.jdbi.sql.Database;
import io.tokenvault.adapters.jdbi.sql.EntryRows;
import io.tokenvault.adapters.jdbi.sql.FilteredQuery;
import io.tokenvault.adapters.jdbi.sql.FilteredQuery.Listing;
import io.tokenvault.adapters.jdbi.sql.SqlValues;
import io.tokenvault.adapters.jdbi.sql.StoredRow;
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
import java.util.Arrays;
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

  private static final Map<String, Operation> OPERATIONS =
      Arrays.stream(Operation.values())
          .collect(Collectors.toMap(Operation::value, Function.identity()));

  private final EntityEntries entityEntries = new EntityEntries();
  private final Database database;

  public JdbiAuditLog(Database database) {
    this.database = database;
  }

  @Override
  public Page<RecordedEntry> list(TenantId tenantId, LogFilter filter, PageRequest request) {
    FilteredQuery conditions = conditions(tenantId, filter, Optional.empty());
    // An entity's entries can be read from a narrower source than the log.
    return database.run(
        handle ->
            conditions.page(
                handle,
                NEWEST_FIRST,
                source(handle, tenantId, filter, conditions),
                request,
                JdbiAuditLog::read));
  }

  @Override
  public List<RecordedEntry> walk(
      TenantId tenantId, LogFilter filter, Optional<LogPosition> after, int size) {
    FilteredQuery conditions = conditions(tenantId, filter, after);
    return database.run(
        handle ->
            conditions
                .bindTo(
                    handle.createQuery(
                        walk(source(handle, tenantId, filter, conditions), conditions)))
                .addCustomizer(PLANNED_FOR_ITS_VALUES)
                .bind("limit", size)
                .bind("offset", 0L)
                .map(JdbiAuditLog::read)
                .list());
  }

  /** Returns the statement that reads a number of entries without counting all of them. */
  private static String walk(String source, FilteredQuery conditions) {
    return "SELECT %s FROM %s WHERE %s ORDER BY %s LIMIT :limit OFFSET :offset"
        .formatted(COLUMNS, source, conditions.sql(), ORDER);
  }

  /** Returns the log, or the faster source for the entries of one entity without a type. */
  private String source(
      Handle handle, TenantId tenantId, LogFilter filter, FilteredQuery conditions) {
    return filter
        .entityId()
        .filter(id -> filter.entityType().isEmpty())
        .map(id -> entityEntries.source(handle, tenantId, id, conditions, ORDER))
        .orElse(EntryRows.TABLE);
  }

  /** Returns the conditions of a list, or of the part of it after a position. */
  private static FilteredQuery conditions(
      TenantId tenantId, LogFilter filter, Optional<LogPosition> after) {
    FilteredQuery conditions =
        FilteredQuery.of(tenantId)
            .andIf(filter.entityType(), "entity_type = %s", type -> type)
            .andIf(filter.entityId(), "entity_id = %s", id -> id)
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
            new TenantId(row.getObject("tenant_id", UUID.class)),
            new Actor(
                Optional.ofNullable(row.getObject("actor_id", UUID.class)),
                Optional.ofNullable(row.getString("actor_type"))),
            TYPES.getOrDefault(type, new EntityType(type, type)),
            text(row, "entity_id"),
            operation(text(row, "operation")),
            shortened(text(row, "message"), AuditEntry.MAX_MESSAGE_LENGTH),
            Optional.ofNullable(row.getString("trace_id"))
                .map(id -> shortened(id, AuditEntry.MAX_TRACE_ID_LENGTH)));
    return new RecordedEntry(entry, StoredRow.time(row, "created_at"), row.getLong("sequence"));
  }

  /** Returns the value of a column, or an empty string for NULL. */
  private static String text(ResultSet row, String column) throws SQLException {
    return Objects.requireNonNullElse(row.getString(column), "");
  }

  private static Operation operation(String value) {
    return OPERATIONS.getOrDefault(value, Operation.UNKNOWN);
  }

  /** Cuts a text to its maximum length without splitting a surrogate pair. */
  private static String shortened(String text, int end) {
    if (text.length() <= end) {
      return text;
    }
    return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end);
  }

  /**
   * Finds the entries of one entity, whatever their types.
   *
   * <p>The log's index has the entries of an entity and type in order. The types are also read from
   * the index, one after the other, not taken from those that this version knows: entries of other
   * versions must be found as well.
   */
  private static final class EntityEntries {

    // The first part of the row comparison restricts the planner to the one index with this order.
    // The recursion starts with the empty string, which precedes all others and is searched like a
    // type that was found.
    private static final String SOURCE =
        """
        (
          WITH RECURSIVE kind (entity_id, entity_type) AS (
            SELECT CAST(%1$s AS text), ''
            UNION ALL
            SELECT kind.entity_id, further.entity_type
            FROM kind CROSS JOIN LATERAL (
              SELECT entity_id, entity_type
              FROM audit_entry
              WHERE %2$s AND (entity_id, entity_type) > (kind.entity_id, kind.entity_type)
              ORDER BY entity_id, entity_type
              LIMIT 1
            ) AS further
            WHERE further.entity_id = kind.entity_id
          )
          SELECT entry.*
          FROM kind CROSS JOIN LATERAL (
            SELECT *
            FROM audit_entry
            WHERE %3$s AND entity_type = kind.entity_type
            ORDER BY %4$s
            LIMIT :offset + :limit
          ) AS entry
        ) AS audit_entry\
        """;

    /** Selects whether all partitions have the index. */
    private static final String INDEXED =
        """
        SELECT EXISTS (
          SELECT FROM pg_index
          WHERE indexrelid = to_regclass('audit_entry_of_entity') AND indisvalid)
        """;

    private volatile boolean indexed;

    /**
     * Returns the source to read from in place of the log: as many of the newest entries of each
     * type as the first {@code :limit} after {@code :offset} of all can contain. As long as
     * partitions lack the index, this is the log itself; those partitions have an older index on
     * the entity alone.
     *
     * @param filter conditions that contain the entity's id and no type
     * @param order the order of the page
     */
    String source(
        Handle handle, TenantId tenantId, String entityId, FilteredQuery filter, String order) {
      return isIndexed(handle) ? source(tenantId, entityId, filter, order) : EntryRows.TABLE;
    }

    /** Returns whether all partitions have the index. Once they do, later ones have it too. */
    private boolean isIndexed(Handle handle) {
      if (!indexed) {
        indexed = handle.select(INDEXED).mapTo(Boolean.class).one();
      }
      return indexed;
    }

    private static String source(
        TenantId tenantId, String entityId, FilteredQuery filter, String order) {
      // If the id cannot be stored, this condition becomes false too, and the filter matches
      // nothing.
      return SOURCE.formatted(
          filter.condition("%s", entityId),
          filter.condition("tenant_id = %s", tenantId.value()),
          filter.sql(),
          order);
    }
  }
}
