package example.vault;

import io.tokenvault.domain.tenant.TenantId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Records of one kind, each as a JSON document under tenant and id. To be used within a
 * transaction. What is secret in them is sealed already.
 */
final class Documents<T> {

  private static final String SELECT = "SELECT body FROM document WHERE kind = ?1";

  private final Database database;
  private final String kind;
  private final Class<T> type;
  private final Function<T, Optional<Instant>> due;

  /**
   * @param due when something has to be done about one, if ever
   */
  Documents(Database database, String kind, Class<T> type, Function<T, Optional<Instant>> due) {
    this.database = database;
    this.kind = kind;
    this.type = type;
    this.due = due;
  }

  Optional<T> find(TenantId tenantId, String id) {
    return read(SELECT + " AND tenant = ?2 AND id = ?3", kind, tenantId.toString(), id).stream()
        .findFirst();
  }

  /** Returns the length of a document without reading it; 0 if there is none. */
  long length(TenantId tenantId, String id) {
    return database
        .query(
            row -> row.getLong(1),
            "SELECT length(body) FROM document WHERE kind = ?1 AND tenant = ?2 AND id = ?3",
            kind,
            tenantId.toString(),
            id)
        .stream()
        .mapToLong(Long::longValue)
        .sum();
  }

  /** Those of one tenant, in the order in which they were put. */
  List<T> of(TenantId tenantId) {
    return read(SELECT + " AND tenant = ?2 ORDER BY rowid", kind, tenantId.toString());
  }

  /** Those of all tenants, in the order in which they were put. */
  List<T> all() {
    return read(SELECT + " ORDER BY rowid", kind);
  }

  /** Those about which something has to be done by now. */
  List<T> due() {
    return read(SELECT + " AND due <= ?2 ORDER BY due", kind, Database.micros(database.now()));
  }

  private List<T> read(String sql, Object... arguments) {
    return database.query(row -> StoredJson.read(row.getString(1), type), sql, arguments);
  }

  /** Adds one, or puts it in place of the one with this id. */
  void put(TenantId tenantId, String id, T document) {
    database.update(
        "INSERT OR REPLACE INTO document (kind, tenant, id, due, body) VALUES (?, ?, ?, ?, ?)",
        kind,
        tenantId.toString(),
        id,
        due.apply(document).map(Database::micros).orElse(null),
        StoredJson.write(document));
  }

  /** Whether there was one. */
  boolean remove(TenantId tenantId, String id) {
    return database.update(
            "DELETE FROM document WHERE kind = ? AND tenant = ? AND id = ?",
            kind,
            tenantId.toString(),
            id)
        > 0;
  }
}
