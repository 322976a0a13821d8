package io.tokenvault.adapters.jdbi.sql;

import io.tokenvault.domain.audit.Actor;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.EntryContent;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.audit.RecordedEntry;
import io.tokenvault.domain.audit.integrity.EntryMark;
import io.tokenvault.domain.audit.integrity.LogEncoding;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.LogKeys;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.argument.Argument;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jdbi.v3.core.statement.StatementContext;
import org.jdbi.v3.core.statement.Update;

/**
 * Writes and reads rows of the audit log.
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
        entry_id, mac, mac_key)
      SELECT tenant_id, (SELECT clock_timestamp()), actor_id, actor_type, entity_type, entity_id,
             operation, message, entry_id, mac, mac_key
      FROM unnest(
             :tenants::uuid[], :actorIds::uuid[], :actorTypes::text[], :entityTypes::text[],
             :entityIds::text[], :operations::text[], :messages::text[], :entryIds::uuid[],
             :macs::bytea[], :macKeys::integer[]) WITH ORDINALITY
           AS entry (
             tenant_id, actor_id, actor_type, entity_type, entity_id, operation, message, entry_id,
             mac, mac_key, place)
      """;

  /** Name of the audit log's table, and prefix of the names of its partitions. */
  public static final String TABLE = "audit_entry";

  /** Ends {@link #INSERT}: sequences follow the order of the entries. */
  public static final String IN_ORDER = " ORDER BY place";

  private static final Map<String, EntityType> TYPES =
      EntityType.all().stream().collect(Collectors.toMap(EntityType::value, Function.identity()));

  private static final Map<String, Operation> OPERATIONS =
      Arrays.stream(Operation.values())
          .collect(Collectors.toMap(Operation::value, Function.identity()));

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
        .bind("tenants", uuids(entries, entry -> entry.tenantId().value()))
        .bind("actorIds", uuids(entries, entry -> entry.actor().id().orElse(null)))
        .bind("actorTypes", texts(entries, entry -> entry.actor().type().orElse(null)))
        .bind("entityTypes", texts(entries, entry -> entry.entityType().value()))
        .bind("entityIds", texts(entries, AuditEntry::entityId))
        .bind("operations", texts(entries, entry -> entry.operation().value()))
        .bind("messages", texts(entries, AuditEntry::message))
        .bind("entryIds", SqlValues.uuids(marked.stream().map(EntryMark::entryId).toList()))
        .bind("macs", SqlValues.bytes(marked.stream().map(mark -> mark.mac().bytes()).toList()))
        .bind(
            "macKeys", SqlValues.numbers(marked.stream().map(mark -> mark.mac().keyId()).toList()));
  }

  private static Argument uuids(
      Collection<AuditEntry> entries, Function<AuditEntry, UUID> property) {
    return SqlValues.uuids(entries.stream().map(property).collect(Collectors.toList()));
  }

  private static Argument texts(
      Collection<AuditEntry> entries, Function<AuditEntry, String> property) {
    return SqlValues.texts(entries.stream().map(property).collect(Collectors.toList()));
  }

  /**
   * Reads an entry for a list. Tolerates any content: a row that the vault did not write must not
   * hide the others, so unknown types stay as they are, unknown operations become {@link
   * Operation#UNKNOWN}, and long messages are cut.
   */
  public static RecordedEntry read(ResultSet row, StatementContext context) throws SQLException {
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
            message(text(row, "message")));
    return new RecordedEntry(entry, StoredRow.time(row, "created_at"), row.getLong("sequence"));
  }

  /** Returns the value of a column, or an empty string for NULL. */
  private static String text(ResultSet row, String column) throws SQLException {
    return Objects.requireNonNullElse(row.getString(column), "");
  }

  private static Operation operation(String value) {
    return OPERATIONS.getOrDefault(value, Operation.UNKNOWN);
  }

  /** Cuts a message to its maximum length without splitting a surrogate pair. */
  private static String message(String text) {
    int end = AuditEntry.MAX_MESSAGE_LENGTH;
    if (text.length() <= end) {
      return text;
    }
    return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end);
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
