package example.vault;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.store.CredentialStore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Hashes of the keys of applications and proxies. */
final class Credentials implements CredentialStore {

  static final String APPLICATION = "application";
  static final String PROXY = "proxy";

  private final Database database;

  Credentials(Database database) {
    this.database = database;
  }

  /**
   * Whom a key lets in.
   *
   * @param ends empty: never
   */
  record Credential(KeyHash hash, TenantId tenantId, String owner, Optional<Instant> ends) {

    private static Credential read(ResultSet row) throws SQLException {
      return new Credential(
          new KeyHash(row.getInt("version"), row.getBytes("hash")),
          new TenantId(UUID.fromString(row.getString("tenant"))),
          row.getString("owner"),
          Database.instant(row, "ends"));
    }
  }

  void add(String kind, KeyHash hash, TenantId tenantId, String owner) {
    database.update(
        "INSERT INTO credential (hash, version, kind, tenant, owner) VALUES (?, ?, ?, ?, ?)",
        hash.bytes(),
        hash.version(),
        kind,
        tenantId.toString(),
        owner);
  }

  /** The first of these hashes that is there. */
  Optional<Credential> find(String kind, List<KeyHash> hashes) {
    return hashes.stream()
        .flatMap(
            hash ->
                database
                    .query(
                        Credential::read,
                        "SELECT * FROM credential WHERE hash = ? AND version = ? AND kind = ?",
                        hash.bytes(),
                        hash.version(),
                        kind)
                    .stream())
        .findFirst();
  }

  List<Credential> of(String kind, TenantId tenantId, String owner) {
    return database.query(
        Credential::read,
        "SELECT * FROM credential WHERE kind = ? AND tenant = ? AND owner = ?",
        kind,
        tenantId.toString(),
        owner);
  }

  void remove(String kind, TenantId tenantId, String owner) {
    database.update(
        "DELETE FROM credential WHERE kind = ? AND tenant = ? AND owner = ?",
        kind,
        tenantId.toString(),
        owner);
  }

  /** Lets the keys that are there end, those that end earlier excepted. */
  void end(String kind, TenantId tenantId, String owner, Instant end) {
    database.update(
        "UPDATE credential SET ends = min(coalesce(ends, ?1), ?1)"
            + " WHERE kind = ?2 AND tenant = ?3 AND owner = ?4",
        Database.micros(end),
        kind,
        tenantId.toString(),
        owner);
  }

  int removeEnded(int limit) {
    return database.update(
        "DELETE FROM credential WHERE rowid IN"
            + " (SELECT rowid FROM credential WHERE ends <= ? LIMIT ?)",
        Database.micros(database.now()),
        limit);
  }

  Set<Integer> versions() {
    return new HashSet<>(
        database.query(row -> row.getInt(1), "SELECT DISTINCT version FROM credential"));
  }

  @Override
  public void renew(TenantId tenantId, KeyHash from, KeyHash to) {
    database.change(
        () ->
            database.update(
                "UPDATE credential SET hash = ?, version = ?"
                    + " WHERE hash = ? AND version = ? AND tenant = ?",
                to.bytes(),
                to.version(),
                from.bytes(),
                from.version(),
                tenantId.toString()));
  }
}
