package io.tokenvault.adapters.jdbi;

import io.tokenvault.domain.audit.EntryContent;
import io.tokenvault.domain.audit.EntryMark;
import io.tokenvault.domain.audit.EntryPlace;
import io.tokenvault.domain.audit.LogTag;
import io.tokenvault.domain.audit.StoredEntry;
import io.tokenvault.domain.tenant.TenantId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.statement.StatementContext;

/** Reads rows of the log as they are, whatever they hold. */
final class StoredEntries {

  /** Of {@code audit_entry}, which is called {@code entry}. */
  static final String COLUMNS =
      """
      entry.tenant_id, entry.created_at, entry.sequence, entry.actor_id, entry.actor_type,
      entry.entity_type, entry.entity_id, entry.operation, entry.message, entry.entry_id,
      entry.mac, entry.mac_key, entry.transaction_id::text AS its_transaction""";

  private StoredEntries() {}

  static StoredEntry read(ResultSet row, StatementContext context) throws SQLException {
    return read(row);
  }

  static StoredEntry read(ResultSet row) throws SQLException {
    EntryContent content =
        new EntryContent(
            new TenantId(row.getObject("tenant_id", UUID.class)),
            Optional.ofNullable(row.getObject("actor_id", UUID.class)),
            Optional.ofNullable(row.getString("actor_type")),
            row.getString("entity_type"),
            row.getString("entity_id"),
            row.getString("operation"),
            row.getString("message"));
    return new StoredEntry(place(row), content, mark(row));
  }

  static EntryPlace place(ResultSet row) throws SQLException {
    return new EntryPlace(StoredRow.time(row, "created_at"), row.getLong("sequence"));
  }

  /** Half of a mark is as good as none. */
  private static Optional<EntryMark> mark(ResultSet row) throws SQLException {
    UUID entryId = row.getObject("entry_id", UUID.class);
    byte[] mac = row.getBytes("mac");
    Integer key = row.getObject("mac_key", Integer.class);
    return entryId == null || mac == null || key == null
        ? Optional.empty()
        : Optional.of(new EntryMark(entryId, new LogTag(key, mac)));
  }
}
