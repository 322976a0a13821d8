package io.tokenvault.adapters.jdbi.audit.chain;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;

/**
 * How far the seals have come, read under the sealer's lock, and what the database says of itself.
 *
 * @param elsewhere whether the snapshots are of another cluster: this is a restored dump
 * @param last a snapshot: what it saw is sealed
 * @param target a snapshot: what it saw is being sealed; the current one if no round is under way
 * @param transaction how far the round is; 0 if none is under way
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
   * @throws IllegalStateException if the sealer's row is gone
   */
  static ChainState find(Handle handle) {
    Optional<ChainState> found = handle.createQuery(FIND).map(ChainState::read).findOne();
    return found.orElseThrow(() -> new IllegalStateException("the sealer has lost its place"));
  }

  /** Whether there may be entries that come before the new ones. */
  boolean isCatchingUp() {
    return oldestWait || restoredWait;
  }

  /** Whether a round is under way. */
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
