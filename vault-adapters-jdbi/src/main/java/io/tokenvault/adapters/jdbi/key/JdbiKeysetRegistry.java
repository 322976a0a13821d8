package io.tokenvault.adapters.jdbi.key;

import io.tokenvault.adapters.jdbi.sql.Database;
import io.tokenvault.adapters.jdbi.sql.EntryRows;
import io.tokenvault.adapters.jdbi.sql.SqlValues;
import io.tokenvault.adapters.jdbi.sql.StoredRows;
import io.tokenvault.adapters.jdbi.tenant.JdbiKeys;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.ports.crypto.KeyProof;
import io.tokenvault.ports.crypto.KeysetRegistry;
import io.tokenvault.ports.crypto.KeysetRegistry.KeysetNode;
import io.tokenvault.ports.crypto.MasterKeyId;
import io.tokenvault.ports.crypto.MasterKeyId.Use;
import io.tokenvault.ports.crypto.TenantKeys;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.argument.Argument;
import org.jdbi.v3.core.statement.StatementContext;

/**
 * The registry of master keys: proofs that nodes hold the right keys, and the keys of each live
 * node. All decisions about keys are serialized by one advisory lock of the database.
 *
 * <p>A node counts as live for 60 seconds after it last announced itself.
 */
public final class JdbiKeysetRegistry implements KeysetRegistry {

  /** Waits for the lock, which the transaction's end releases. */
  private static final String LOCK =
      "SELECT pg_advisory_xact_lock(hashtext('token-vault master keys'))";

  private final Database database;

  /** Creates the registry, which takes part in the database's shared transaction if it has one. */
  public JdbiKeysetRegistry(Database database) {
    this.database = database;
  }

  @Override
  public <T> T exclusively(Function<Ledger, T> work) {
    return database.change(
        handle -> {
          handle.execute(LOCK);
          return work.apply(new JdbiLedger(handle));
        });
  }

  @Override
  public List<KeysetNode> liveNodes() {
    return database.run(JdbiKeysetRegistry::liveNodes);
  }

  /**
   * Returns the nodes that announced themselves within the last 60 seconds, by the database's
   * clock.
   */
  private static List<KeysetNode> liveNodes(Handle handle) {
    return handle
        .createQuery(
            """
            SELECT node_id, wrapping, key_hash, seen_at
            FROM node_keyset
            WHERE seen_at > clock_timestamp() - interval '60 seconds'
            ORDER BY node_id
            """)
        .map(JdbiKeysetRegistry::readNode)
        .list();
  }

  /** Reads a node; each use of master keys has a column with the ids of its keys. */
  private static KeysetNode readNode(ResultSet row, StatementContext context) throws SQLException {
    Set<MasterKeyId> keys = new HashSet<>();
    for (Use use : Use.values()) {
      ids(row.getArray(use.value())).map(id -> new MasterKeyId(use, id)).forEach(keys::add);
    }
    return new KeysetNode(
        row.getObject("node_id", UUID.class), keys, StoredRows.time(row, "seen_at"));
  }

  /** Returns the key ids of an array column. */
  private static Stream<Integer> ids(Array array) throws SQLException {
    return Stream.of((Integer[]) array.getArray());
  }

  @Override
  public void withdraw(UUID node) {
    database.run(handle -> handle.execute("DELETE FROM node_keyset WHERE node_id = ?", node));
  }

  /** The registry's records under its lock, in the transaction of the handle. */
  private record JdbiLedger(Handle handle) implements Ledger {

    @Override
    public List<KeyProof> proofs() {
      return handle
          .createQuery("SELECT purpose, key_id, proof FROM key_proof ORDER BY proven_at, key_id")
          .map(JdbiLedger::readProof)
          .list();
    }

    private static KeyProof readProof(ResultSet row, StatementContext context) throws SQLException {
      Use use = Use.valueOf(row.getString("purpose").toUpperCase(Locale.ROOT));
      return new KeyProof(new MasterKeyId(use, row.getInt("key_id")), row.getBytes("proof"));
    }

    @Override
    public void add(KeyProof proof) {
      handle
          .createUpdate(
              """
              INSERT INTO key_proof (purpose, key_id, proof) VALUES (:purpose, :id, :proof)
              ON CONFLICT (purpose, key_id)
              DO UPDATE SET proof = excluded.proof, proven_at = clock_timestamp()
              """)
          .bind("purpose", proof.key().use().value())
          .bind("id", proof.key().id())
          .bind("proof", proof.proof())
          .execute();
    }

    @Override
    public List<TenantKeys> tenantKeys() {
      return JdbiKeys.list(handle);
    }

    @Override
    public Set<Integer> hashVersions() {
      return handle
          .createQuery("SELECT DISTINCT hash_version FROM credential")
          .mapTo(Integer.class)
          .set();
    }

    @Override
    public List<KeysetNode> liveNodes() {
      return JdbiKeysetRegistry.liveNodes(handle);
    }

    @Override
    public void announce(UUID node, Set<MasterKeyId> keys) {
      // Nodes that ended without withdrawing leave their rows behind.
      handle.execute(
          "DELETE FROM node_keyset WHERE seen_at < clock_timestamp() - interval '1 day'");
      handle
          .createUpdate(
              """
              INSERT INTO node_keyset (node_id, wrapping, key_hash)
              VALUES (:node, :wrapping, :key_hash)
              ON CONFLICT (node_id)
              DO UPDATE SET wrapping = excluded.wrapping, key_hash = excluded.key_hash,
                seen_at = clock_timestamp()
              """)
          .bind("node", node)
          .bind(Use.WRAPPING.value(), ids(keys, Use.WRAPPING))
          .bind(Use.KEY_HASH.value(), ids(keys, Use.KEY_HASH))
          .execute();
    }

    @Override
    public void record(AuditEntry entry) {
      EntryRows.add(handle, entry);
    }

    /** Returns the ids of the keys of one use. */
    private static Argument ids(Set<MasterKeyId> keys, Use use) {
      return SqlValues.integers(
          keys.stream().filter(key -> key.use() == use).toList(), MasterKeyId::id);
    }
  }
}
