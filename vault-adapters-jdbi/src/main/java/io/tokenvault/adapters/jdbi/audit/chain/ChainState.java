package io.tokenvault.adapters.jdbi.audit.chain;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;

/**
 * The progress of the hash chains, read under the lock of the process that extends them.
 *
 * <p>Progress is measured by snapshots of the database, since neither time nor sequence shows when
 * a transaction commits. A round adds the entries between two snapshots, in parts if there are
 * many.
 *
 * @param elsewhere whether the snapshots belong to another cluster: this database is a restored
 *     dump
 * @param oldestWait whether entries of versions without transaction ids may be left
 * @param restoredWait whether entries of a restored dump may be left
 * @param floor the last sequence at the time when the chains started with this cluster; snapshots
 *     cover only later entries
 * @param last a snapshot whose visible entries are in the chains
 * @param target a snapshot whose visible entries are being added; the current one if no round is in
 *     progress
 * @param targetAt the time of {@code target}, as the database writes it
 * @param transaction the transaction that the round has reached; 0 if none is in progress
 * @param sequence the sequence that the round has reached within that transaction
 */
record ChainState(
    boolean elsewhere,
    boolean oldestWait,
    boolean restoredWait,
    long floor,
    String last,
    String target,
    String targetAt,
    String transaction,
    long sequence) {

  /** Selects the single row of the chains' progress. */
  private static final String FIND =
      """
      SELECT cluster <> database_cluster()
               OR pg_snapshot_xmax(pg_current_snapshot()) < pg_snapshot_xmax(sealed_snapshot)
               AS elsewhere,
             oldest_tenant IS NOT NULL AS oldest_wait,
             restored_since IS NOT NULL AS restored_wait,
             floor_sequence AS floor,
             sealed_snapshot::text AS last,
             coalesce(target_snapshot, pg_current_snapshot())::text AS target,
             coalesce(target_at, clock_timestamp())::text AS target_at,
             coalesce(target_transaction::text, '0') AS transaction,
             coalesce(target_sequence, 0) AS sequence
      FROM audit_sealer
      """;

  /**
   * Reads the progress.
   *
   * @throws IllegalStateException if its row is missing
   */
  static ChainState find(Handle handle) {
    Optional<ChainState> found = handle.createQuery(FIND).map(ChainState::read).findOne();
    return found.orElseThrow(() -> new IllegalStateException("the sealer has lost its place"));
  }

  /** Returns whether older entries may have to be added before the new ones. */
  boolean isCatchingUp() {
    return oldestWait || restoredWait;
  }

  /** Returns whether a round is in progress. */
  boolean isWithin() {
    return !transaction.equals("0");
  }

  private static ChainState read(ResultSet row, StatementContext context) throws SQLException {
    return new ChainState(
        row.getBoolean("elsewhere"),
        row.getBoolean("oldest_wait"),
        row.getBoolean("restored_wait"),
        row.getLong("floor"),
        row.getString("last"),
        row.getString("target"),
        row.getString("target_at"),
        row.getString("transaction"),
        row.getLong("sequence"));
  }
}
