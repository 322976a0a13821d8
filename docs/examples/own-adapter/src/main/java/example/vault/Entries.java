package example.vault;

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
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/** The log. Triggers in the schema refuse to change or remove an entry. */
final class Entries implements AuditLog {

  private static final String MATCHING =
      """
      FROM entry WHERE tenant = ?1
        AND (?2 IS NULL OR entity_type = ?2) AND (?3 IS NULL OR entity_id = ?3)
        AND (?4 IS NULL OR created >= ?4) AND (?5 IS NULL OR created < ?5)
        AND (?6 IS NULL OR actor_id = ?6) AND (?7 IS NULL OR operation = ?7)
      """;
  private static final String NEWEST_FIRST = " ORDER BY created DESC, sequence DESC LIMIT ";

  private final Database database;

  Entries(Database database) {
    this.database = database;
  }

  /** Adds entries, in their order. To be used within a transaction. */
  void add(Collection<AuditEntry> entries) {
    long now = Database.micros(database.now());
    entries.forEach(entry -> add(entry, now));
  }

  void add(AuditEntry entry) {
    add(List.of(entry));
  }

  private void add(AuditEntry entry, long now) {
    database.update(
        """
        INSERT INTO entry (tenant, created, actor_id, actor_type, entity_type, entity_id,
          operation, message)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """,
        entry.tenantId().toString(),
        now,
        entry.actor().id().map(UUID::toString).orElse(null),
        entry.actor().type().orElse(null),
        entry.entityType().value(),
        entry.entityId(),
        entry.operation().name(),
        entry.message());
  }

  @Override
  public Page<RecordedEntry> list(TenantId tenantId, LogFilter filter, PageRequest request) {
    Object[] wanted = arguments(tenantId, filter);
    return database.read(
        () ->
            new Page<>(
                database.query(
                    Entries::read,
                    "SELECT * " + MATCHING + NEWEST_FIRST + "?8 OFFSET ?9",
                    plus(wanted, request.size(), request.offset())),
                database.query(row -> row.getLong(1), "SELECT count(*) " + MATCHING, wanted).get(0),
                request));
  }

  @Override
  public List<RecordedEntry> walk(
      TenantId tenantId, LogFilter filter, Optional<LogPosition> after, int size) {
    Object[] arguments =
        plus(
            arguments(tenantId, filter),
            size,
            after.map(LogPosition::createdAt).map(Database::micros).orElse(null),
            after.map(LogPosition::sequence).orElse(null));
    return database.read(
        () ->
            database.query(
                Entries::read,
                "SELECT * "
                    + MATCHING
                    + " AND (?9 IS NULL OR (created, sequence) < (?9, ?10))"
                    + NEWEST_FIRST
                    + "?8",
                arguments));
  }

  private static Object[] arguments(TenantId tenantId, LogFilter filter) {
    return new Object[] {
      tenantId.toString(),
      filter.entityType().orElse(null),
      filter.entityId().orElse(null),
      filter.from().map(Database::micros).orElse(null),
      filter.until().map(Database::micros).orElse(null),
      filter.actorId().map(UUID::toString).orElse(null),
      filter.operation().map(Operation::name).orElse(null)
    };
  }

  private static Object[] plus(Object[] some, Object... more) {
    return Stream.concat(Arrays.stream(some), Arrays.stream(more)).toArray();
  }

  private static RecordedEntry read(ResultSet row) throws SQLException {
    Optional<UUID> actor = Optional.ofNullable(row.getString("actor_id")).map(UUID::fromString);
    AuditEntry entry =
        new AuditEntry(
            new TenantId(UUID.fromString(row.getString("tenant"))),
            new Actor(actor, Optional.ofNullable(row.getString("actor_type"))),
            entityType(row.getString("entity_type")),
            row.getString("entity_id"),
            Operation.valueOf(row.getString("operation")),
            row.getString("message"));
    return new RecordedEntry(
        entry, Database.instant(row, "created").orElseThrow(), row.getLong("sequence"));
  }

  private static EntityType entityType(String value) {
    return EntityType.all().stream()
        .filter(type -> type.value().equals(value))
        .findFirst()
        .orElseGet(() -> new EntityType(value, value));
  }
}
