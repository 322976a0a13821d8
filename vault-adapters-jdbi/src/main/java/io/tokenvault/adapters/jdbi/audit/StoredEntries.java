package io.tokenvault.adapters.jdbi.audit;

import io.tokenvault.domain.audit.EntryContent;
import io.tokenvault.domain.audit.integrity.EntryMark;
import io.tokenvault.domain.audit.integrity.EntryPlace;
import io.tokenvault.domain.audit.integrity.LogHash;
import io.tokenvault.domain.audit.integrity.LogTag;
import io.tokenvault.domain.audit.integrity.StoredEntry;
import io.tokenvault.domain.tenant.TenantId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.statement.StatementContext;

/**
 * Reads rows of the audit log as they are, for verification and export. Missing or malformed values
 * become ones that no valid entry has, so that verification reports the row instead of failing.
 */
public final class StoredEntries {

  /** The columns to select from {@code audit_entry AS entry}. */
  public static final String COLUMNS =
      """
      entry.tenant_id, entry.created_at, entry.sequence, entry.actor_id, entry.actor_type,
      entry.entity_type, entry.entity_id, entry.operation, entry.message, entry.entry_id,
      entry.mac, entry.mac_key, entry.transaction_id::text AS its_transaction""";

  // A noncharacter, which the vault never writes; a dump can contain it.
  private static final String NO_TEXT = "\uFFFF";

  /** Stands for a missing tenant. */
  private static final UUID NO_ID = new UUID(0, 0);

  private StoredEntries() {}

  static StoredEntry read(ResultSet row, StatementContext context) throws SQLException {
    return read(row);
  }

  /** Reads the current row of a result with {@link #COLUMNS}. */
  public static StoredEntry read(ResultSet row) throws SQLException {
    EntryContent content =
        new EntryContent(
            tenant(row, "tenant_id"),
            Optional.ofNullable(row.getObject("actor_id", UUID.class)),
            Optional.ofNullable(row.getString("actor_type")),
            text(row, "entity_type"),
            text(row, "entity_id"),
            text(row, "operation"),
            text(row, "message"));
    return new StoredEntry(place(row), content, mark(row));
  }

  /** Reads an entry's place: its timestamp and sequence. */
  public static EntryPlace place(ResultSet row) throws SQLException {
    return new EntryPlace(LogTimestamps.read(row, "created_at"), row.getLong("sequence"));
  }

  /** Reads a tenant's id; the id of all zeros for NULL. */
  public static TenantId tenant(ResultSet row, String column) throws SQLException {
    return new TenantId(Objects.requireNonNullElse(row.getObject(column, UUID.class), NO_ID));
  }

  /** Reads a string; a noncharacter for NULL. */
  private static String text(ResultSet row, String column) throws SQLException {
    return Objects.requireNonNullElse(row.getString(column), NO_TEXT);
  }

  /**
   * Reads a hash. A value of another length is read as {@link LogHash#NONE}, which matches no
   * entry.
   */
  public static LogHash hash(ResultSet row, String column) throws SQLException {
    byte[] bytes = row.getBytes(column);
    return bytes == null || bytes.length != LogHash.BYTES ? LogHash.NONE : new LogHash(bytes);
  }

  /** Reads a MAC and its key's id. NULL is read as an empty MAC, which is never valid. */
  public static LogTag tag(ResultSet row, String column, String key) throws SQLException {
    byte[] bytes = row.getBytes(column);
    return new LogTag(row.getInt(key), bytes == null ? new byte[0] : bytes);
  }

  /** Reads an entry's id and MAC; empty unless both are complete. */
  private static Optional<EntryMark> mark(ResultSet row) throws SQLException {
    UUID entryId = row.getObject("entry_id", UUID.class);
    byte[] mac = row.getBytes("mac");
    Integer key = row.getObject("mac_key", Integer.class);
    return entryId == null || mac == null || key == null
        ? Optional.empty()
        : Optional.of(new EntryMark(entryId, new LogTag(key, mac)));
  }
}
