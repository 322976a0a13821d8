package io.tokenvault.adapters.jdbi.sql;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntryContent;
import io.tokenvault.domain.audit.integrity.EntryMark;
import io.tokenvault.domain.audit.integrity.LogEncoding;
import io.tokenvault.ports.crypto.LogKeys;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator;
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
      SELECT tenant_id, (SELECT clock_timestamp()), actor_id::uuid, actor_type, entity_type,
             entity_id, operation, message, entry_id::uuid, mac, mac_key, trace_id
      FROM unnest(
             :tenants::uuid[], :actorIds::text[], :actorTypes::text[], :entityTypes::text[],
             :entityIds::text[], :operations::text[], :messages::text[], :entryIds::text[],
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
    // The driver sends arrays of strings in binary, and those of UUIDs as one text.
    String[] actorIds = new String[size];
    String[] actorTypes = new String[size];
    String[] entityTypes = new String[size];
    String[] entityIds = new String[size];
    String[] operations = new String[size];
    String[] messages = new String[size];
    String[] entryIds = new String[size];
    byte[][] macs = new byte[size][];
    Integer[] macKeys = new Integer[size];
    String[] traceIds = new String[size];
    int row = 0;
    for (AuditEntry entry : entries) {
      EntryMark mark = marks.mark(entry);
      tenants[row] = entry.tenantId().value();
      actorIds[row] = entry.actor().id().map(UUID::toString).orElse(null);
      actorTypes[row] = entry.actor().type().orElse(null);
      entityTypes[row] = entry.entityType().value();
      entityIds[row] = entry.entityId();
      operations[row] = entry.operation().value();
      messages[row] = entry.message();
      entryIds[row] = mark.entryId().toString();
      macs[row] = mark.mac().bytes();
      macKeys[row] = mark.mac().keyId();
      traceIds[row] = entry.traceId().orElse(null);
      row++;
    }
    return statement
        .bind("tenants", SqlValues.uuids(tenants))
        .bind("actorIds", SqlValues.texts(actorIds))
        .bind("actorTypes", SqlValues.texts(actorTypes))
        .bind("entityTypes", SqlValues.texts(entityTypes))
        .bind("entityIds", SqlValues.texts(entityIds))
        .bind("operations", SqlValues.texts(operations))
        .bind("messages", SqlValues.texts(messages))
        .bind("entryIds", SqlValues.texts(entryIds))
        .bind("macs", SqlValues.bytes(macs))
        .bind("macKeys", SqlValues.integers(macKeys))
        .bind("traceIds", SqlValues.texts(traceIds));
  }

  /**
   * Gives audit entries their ids and MACs before they are written.
   *
   * <p>An id is a UUID of version 8 (RFC 9562): 60 random bits of this process, followed by a
   * counter that starts at a random number. Ids have to be unique, not secret, and this scheme
   * needs no randomness for each entry. Instances are safe for use by many threads.
   */
  public static final class EntryMarks {

    // Bits of a UUID that hold its version and variant (RFC 9562).
    private static final long VERSION_8 = 0x8000L;
    private static final long WITHOUT_VERSION = 0xFFFF_FFFF_FFFF_0FFFL;
    private static final long VARIANT = 0x8000_0000_0000_0000L;
    private static final long WITHOUT_VARIANT = 0x3FFF_FFFF_FFFF_FFFFL;

    private final LogKeys keys;
    private final long prefix;
    private final AtomicLong count;
    private final LongAdder unwritten = new LongAdder();

    /**
     * Creates a source of ids and MACs.
     *
     * @param keys the keys for the MACs
     * @param randomness the source of the process's part of ids
     */
    public EntryMarks(LogKeys keys, RandomGenerator randomness) {
      this.keys = keys;
      this.prefix = (randomness.nextLong() & WITHOUT_VERSION) | VERSION_8;
      this.count = new AtomicLong(randomness.nextLong());
    }

    /** Returns a new id and the MAC over the id and the entry's content. */
    EntryMark mark(AuditEntry entry) {
      UUID id = new UUID(prefix, (count.getAndIncrement() & WITHOUT_VARIANT) | VARIANT);
      byte[] content = LogEncoding.entry(id, EntryContent.of(entry));
      return new EntryMark(id, keys.authenticate(LogKeys.Use.ENTRY, content));
    }

    /** Counts a change that failed because its audit entries could not be written. */
    public void noteUnwritten() {
      unwritten.increment();
    }

    /**
     * Returns the number of changes that failed because their audit entries could not be written.
     */
    public long unwritten() {
      return unwritten.sum();
    }
  }
}
