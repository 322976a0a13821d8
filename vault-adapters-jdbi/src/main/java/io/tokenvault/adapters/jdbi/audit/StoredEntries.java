package io.tokenvault.adapters.jdbi.audit;

import io.tokenvault.adapters.jdbi.sql.StoredRows;
import io.tokenvault.domain.audit.EntryContent;
import io.tokenvault.domain.audit.integrity.EntryMark;
import io.tokenvault.domain.audit.integrity.EntryPlace;
import io.tokenvault.domain.audit.integrity.LogHash;
import io.tokenvault.domain.audit.integrity.LogTag;
import io.tokenvault.domain.audit.integrity.StoredEntry;
import io.tokenvault.domain.tenant.TenantId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

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
      entry.mac, entry.mac_key, entry.trace_id, entry.transaction_id::text AS its_transaction\
      """;

  // A noncharacter, which the vault never writes; a dump can contain it.
  private static final String NO_TEXT = "\uFFFF";

  /** Stands for a missing tenant. */
  private static final UUID NO_ID = new UUID(0, 0);

  /**
   * SQL condition: a timestamp is in the range that the schema permits. Format it with a column's
   * name.
   */
  public static final String USUAL =
      "%1$s >= '1970-01-01 00:00+00' AND %1$s < '10000-01-01 00:00+00'";

  /**
   * Stands for infinity, NULL and all timestamps that the driver cannot read. No entry has this
   * time.
   */
  static final Instant UNREADABLE = Instant.parse("+999999999-01-01T00:00:00Z");

  /** The first permitted time. */
  static final Instant FIRST = Instant.EPOCH;

  /** The end of the permitted times, exclusive. */
  static final Instant END = Instant.parse("+10000-01-01T00:00:00Z");

  // Beyond all finite timestamps of PostgreSQL.
  private static final long MOST_SECONDS = 10_000_000_000_000L;

  /** Class of the SQL states for wrong values. */
  private static final String WRONG_VALUE = "22";

  private StoredEntries() {}

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
            text(row, "message"),
            Optional.ofNullable(row.getString("trace_id")));
    return new StoredEntry(place(row), content, mark(row));
  }

  /** Reads an entry's place: its timestamp and sequence. */
  public static EntryPlace place(ResultSet row) throws SQLException {
    return new EntryPlace(time(row, "created_at"), row.getLong("sequence"));
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

  /** Returns whether the schema permits a time. */
  public static boolean isUsual(Instant time) {
    return !time.isBefore(FIRST) && time.isBefore(END);
  }

  /** Reads a timestamp; {@link #UNREADABLE} if it is NULL, infinite or out of range. */
  public static Instant time(ResultSet row, String column) throws SQLException {
    try {
      Instant time = StoredRows.time(row, column);
      return time == null || Math.abs(time.getEpochSecond()) > MOST_SECONDS ? UNREADABLE : time;
    } catch (DateTimeException beyond) {
      return UNREADABLE;
    } catch (SQLException failure) {
      if (String.valueOf(failure.getSQLState()).startsWith(WRONG_VALUE)) {
        return UNREADABLE;
      }
      throw failure;
    }
  }
}
