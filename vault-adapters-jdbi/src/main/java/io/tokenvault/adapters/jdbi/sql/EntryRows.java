package io.tokenvault.adapters.jdbi.sql;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.integrity.EntryMark;
import java.util.Collection;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jdbi.v3.core.statement.Update;

/**
 * Writes rows of the audit log.
 *
 * <p>The table only grows: there is no statement here that updates or deletes an entry.
 */
public final class EntryRows {

  /**
   * Inserts entries in their order. All of them get one timestamp, so that only the sequence orders
   * them. A {@code WHERE} clause with further conditions may follow, then {@link #IN_ORDER}.
   */
  public static final String INSERT =
      """
      INSERT INTO audit_entry (
        tenant_id, created_at, actor_id, actor_type, entity_type, entity_id, operation, message,
        entry_id, mac, mac_key, trace_id)
      SELECT tenant_id, (SELECT clock_timestamp()), actor_id, actor_type, entity_type,
             entity_id, operation, message, entry_id, mac, mac_key, trace_id
      FROM unnest(
             :tenants::uuid[], :actorIds::uuid[], :actorTypes::text[], :entityTypes::text[],
             :entityIds::text[], :operations::text[], :messages::text[], :entryIds::uuid[],
             :macs::bytea[], :macKeys::integer[], :traceIds::text[]) WITH ORDINALITY
           AS entry (
             tenant_id, actor_id, actor_type, entity_type, entity_id, operation, message, entry_id,
             mac, mac_key, trace_id, place)
      """;

  /** Name of the audit log's table, and prefix of the names of its partitions. */
  public static final String TABLE = "audit_entry";

  /** Ends {@link #INSERT}: sequences follow the order of the entries. */
  public static final String IN_ORDER = " ORDER BY place";

  private EntryRows() {}

  /** Writes entries in the transaction of the change that they record, after the change. */
  public static void add(Handle handle, Collection<AuditEntry> entries) {
    if (!entries.isEmpty()) {
      add(handle.createUpdate(INSERT + IN_ORDER), entries);
    }
  }

  /** Runs the statement, and counts the failure of the change if the entries cannot be written. */
  private static void add(Update update, Collection<AuditEntry> entries) {
    try {
      bind(update, entries).execute();
    } catch (RuntimeException failed) {
      Database.marks(update).noteUnwritten();
      throw failed;
    }
  }

  /** Writes one entry in the transaction of the change that it records. */
  public static void add(Handle handle, AuditEntry entry) {
    add(handle, List.of(entry));
  }

  /**
   * Binds the parameters of {@link #INSERT}. The entries get the ids and MACs of the statement's
   * database.
   *
   * @throws IllegalStateException if the database has no keys for MACs
   */
  public static <S extends SqlStatement<S>> S bind(S statement, Collection<AuditEntry> entries) {
    EntryMarks marks = Database.marks(statement);
    List<EntryMark> marked = entries.stream().map(marks::mark).toList();
    return statement
        .bind("tenants", SqlValues.uuids(entries, each -> each.tenantId().value()))
        .bind("actorIds", SqlValues.uuids(entries, each -> each.actor().id().orElse(null)))
        .bind("actorTypes", SqlValues.texts(entries, each -> each.actor().type().orElse(null)))
        .bind("entityTypes", SqlValues.texts(entries, each -> each.entityType().value()))
        .bind("entityIds", SqlValues.texts(entries, AuditEntry::entityId))
        .bind("operations", SqlValues.texts(entries, each -> each.operation().value()))
        .bind("messages", SqlValues.texts(entries, AuditEntry::message))
        .bind("entryIds", SqlValues.uuids(marked, EntryMark::entryId))
        .bind("macs", SqlValues.bytes(marked, each -> each.mac().bytes()))
        .bind("macKeys", SqlValues.integers(marked, each -> each.mac().keyId()))
        .bind("traceIds", SqlValues.texts(entries, each -> each.traceId().orElse(null)));
  }
}
