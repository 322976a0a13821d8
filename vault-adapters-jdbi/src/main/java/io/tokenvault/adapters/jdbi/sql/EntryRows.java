package io.tokenvault.adapters.jdbi.sql;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.integrity.EntryMark;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
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
    int size = entries.size();
    UUID[] tenants = new UUID[size];
    UUID[] actorIds = new UUID[size];
    String[] actorTypes = new String[size];
    String[] entityTypes = new String[size];
    String[] entityIds = new String[size];
    String[] operations = new String[size];
    String[] messages = new String[size];
    UUID[] entryIds = new UUID[size];
    byte[][] macs = new byte[size][];
    Integer[] macKeys = new Integer[size];
    String[] traceIds = new String[size];
    int row = 0;
    for (AuditEntry entry : entries) {
      EntryMark mark = marks.mark(entry);
      tenants[row] = entry.tenantId().value();
      actorIds[row] = entry.actor().id().orElse(null);
      actorTypes[row] = entry.actor().type().orElse(null);
      entityTypes[row] = entry.entityType().value();
      entityIds[row] = entry.entityId();
      operations[row] = entry.operation().value();
      messages[row] = entry.message();
      entryIds[row] = mark.entryId();
      macs[row] = mark.mac().bytes();
      macKeys[row] = mark.mac().keyId();
      traceIds[row] = entry.traceId().orElse(null);
      row++;
    }
    return statement
        .bind("tenants", SqlValues.uuids(tenants))
        .bind("actorIds", SqlValues.uuids(actorIds))
        .bind("actorTypes", SqlValues.texts(actorTypes))
        .bind("entityTypes", SqlValues.texts(entityTypes))
        .bind("entityIds", SqlValues.texts(entityIds))
        .bind("operations", SqlValues.texts(operations))
        .bind("messages", SqlValues.texts(messages))
        .bind("entryIds", SqlValues.uuids(entryIds))
        .bind("macs", SqlValues.bytes(macs))
        .bind("macKeys", SqlValues.integers(macKeys))
        .bind("traceIds", SqlValues.texts(traceIds));
  }
}
