package io.tokenvault.adapters.jdbi.audit.chain;

import io.tokenvault.adapters.jdbi.audit.LogTimestamps;
import io.tokenvault.adapters.jdbi.audit.StoredEntries;
import io.tokenvault.domain.audit.integrity.ChainEnd;
import io.tokenvault.domain.audit.integrity.StoredEntry;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.StatementContext;

/**
 * Finds the entries to add to the hash chains next, and records the progress.
 *
 * <p>Three kinds follow each other: entries of older versions, without a transaction id; then those
 * of a restored dump, which does not show whether they are in a chain; then new ones. New entries
 * are found by the database's snapshots, since neither time nor sequence shows when a transaction
 * commits.
 */
final class UnchainedEntries {

  /** The columns of an entry, with its timestamp as the database writes it, in full precision. */
  private static final String COLUMNS =
      StoredEntries.COLUMNS + ", entry.created_at::text AS its_time";

  /** Selects entries without a transaction id, after the last one that was added. */
  private static final String OLDEST =
      """
      SELECT %s FROM audit_entry AS entry
      WHERE transaction_id IS NULL
        AND (tenant_id, created_at, sequence) > (
          (SELECT oldest_tenant FROM audit_sealer), (SELECT oldest_time FROM audit_sealer),
          (SELECT oldest_sequence FROM audit_sealer))
      ORDER BY tenant_id, created_at, sequence LIMIT :limit
      """
          .formatted(COLUMNS);

  /**
   * Selects entries of a restored dump that no recent link contains and that a chain has room for.
   */
  private static final String RESTORED =
      """
      SELECT %s FROM audit_entry AS entry
      WHERE created_at >= (SELECT restored_since FROM audit_sealer)
        AND sequence <= :floor AND %s
        AND NOT EXISTS (
          SELECT FROM audit_seal WHERE tenant_id = entry.tenant_id AND number > :lastNumber)
        AND NOT EXISTS (
          SELECT 1
          FROM (
            SELECT tenant_id, unnest(times) AS created_at, unnest(sequences) AS sequence
            FROM audit_seal
            WHERE sealed_at >= (SELECT restored_since FROM audit_sealer)) AS named
          WHERE named.tenant_id = entry.tenant_id AND named.created_at = entry.created_at
            AND named.sequence = entry.sequence)
      ORDER BY tenant_id, created_at, sequence LIMIT :limit
      """
          .formatted(COLUMNS, LogTimestamps.USUAL.formatted("created_at"));

  // Selects entries that the last snapshot did not see: of transactions that started after it, and
  // of those that were running. Each half reads its part of the index; a single condition would
  // read everything since the oldest running transaction. Within a round, the first half starts
  // where the previous part ended.
  private static final String NEW =
      """
      SELECT %s
      FROM (
        SELECT * FROM audit_entry
        WHERE transaction_id >= pg_snapshot_xmax(:last::pg_snapshot)
          AND transaction_id >= :transaction::xid8
          AND transaction_id < pg_snapshot_xmax(:target::pg_snapshot)
        UNION ALL
        SELECT * FROM audit_entry
        WHERE transaction_id = ANY (ARRAY(SELECT pg_snapshot_xip(:last::pg_snapshot)))
      ) AS entry
      WHERE (transaction_id, sequence) > (:transaction::xid8, :sequence)
        AND pg_visible_in_snapshot(transaction_id, :target::pg_snapshot)
        AND sequence > :floor
      ORDER BY transaction_id, sequence LIMIT :limit
      """
          .formatted(COLUMNS);

  private final Handle handle;
  private final ChainState state;
  private final int limit;

  UnchainedEntries(Handle handle, ChainState state, int limit) {
    this.handle = handle;
    this.state = state;
    this.limit = limit;
  }

  /**
   * Returns at most as many entries as the limit. Call {@link #noteSealed} with them afterwards.
   */
  List<Row> next() {
    Query query =
        state.oldestWait()
            ? handle.createQuery(OLDEST)
            : state.restoredWait()
                ? withRoom(handle.createQuery(RESTORED))
                : withSnapshots(handle.createQuery(NEW));
    return query.bind("limit", limit).map(Row::read).list();
  }

  /**
   * Binds the limits that exclude entries without room in their chain; they would be found
   * repeatedly.
   */
  private Query withRoom(Query query) {
    return query.bind("floor", state.floor()).bind("lastNumber", lastNumber());
  }

  /**
   * Returns the highest number of a chain's last link that leaves room for a link for each entry.
   */
  private long lastNumber() {
    return Long.MAX_VALUE - limit;
  }

  /**
   * Returns whether an entry can be added to its chain: its time is in the permitted range, and the
   * chain has room.
   *
   * @param entry the entry
   * @param end the end of its chain; null if there is none yet
   */
  boolean canSeal(StoredEntry entry, ChainEnd end) {
    return LogTimestamps.isUsual(entry.place().createdAt())
        && (end == null || end.number() <= lastNumber());
  }

  /** Binds both snapshots and the progress of the round. */
  private Query withSnapshots(Query query) {
    return query
        .bind("last", state.last())
        .bind("target", state.target())
        .bind("transaction", state.transaction())
        .bind("sequence", state.sequence())
        .bind("floor", state.floor());
  }

  /** Records the progress. Fewer rows than the limit were the last of their kind. */
  void noteSealed(List<Row> rows) {
    boolean all = rows.size() < limit;
    if (state.oldestWait()) {
      noteOldest(all ? null : rows.get(rows.size() - 1));
    } else if (state.restoredWait()) {
      noteRestored(all);
    } else if (!all) {
      noteWithin(rows.get(rows.size() - 1));
    } else if (!rows.isEmpty() || state.isWithin()) {
      noteRound();
    }
  }

  /** Records the last entry of an older version that was added; null ends this kind permanently. */
  private void noteOldest(Row last) {
    handle
        .createUpdate(
            """
            UPDATE audit_sealer
            SET oldest_tenant = :tenant, oldest_time = :time::timestamptz,
                oldest_sequence = :sequence
            """)
        .bind("tenant", last == null ? null : last.entry().tenantId().value())
        .bind("time", last == null ? null : last.time())
        .bind("sequence", last == null ? null : last.entry().place().sequence())
        .execute();
  }

  /** Ends the entries of a restored dump once all were added. */
  private void noteRestored(boolean all) {
    if (all) {
      handle.execute("UPDATE audit_sealer SET restored_since = NULL");
    }
  }

  /** Records a part of a round, so that the next call continues with the same target. */
  private void noteWithin(Row last) {
    handle
        .createUpdate(
            """
            UPDATE audit_sealer
            SET target_snapshot = :target::pg_snapshot, target_at = :targetAt::timestamptz,
                target_transaction = :transaction::xid8, target_sequence = :sequence
            """)
        .bind("target", state.target())
        .bind("targetAt", state.targetAt())
        .bind("transaction", last.transaction())
        .bind("sequence", last.entry().place().sequence())
        .execute();
  }

  /** Ends the round: its target becomes the last snapshot. */
  private void noteRound() {
    handle
        .createUpdate(
            """
            UPDATE audit_sealer
            SET sealed_snapshot = :target::pg_snapshot, sealed_at = :targetAt::timestamptz,
                target_snapshot = NULL, target_at = NULL, target_transaction = NULL,
                target_sequence = NULL
            """)
        .bind("target", state.target())
        .bind("targetAt", state.targetAt())
        .execute();
  }

  /**
   * An entry to add to a chain.
   *
   * @param entry the entry
   * @param time its timestamp, as the database writes it
   * @param transaction its transaction id; null for entries of older versions
   */
  record Row(StoredEntry entry, String time, String transaction) {
    static Row read(ResultSet row, StatementContext context) throws SQLException {
      return new Row(
          StoredEntries.read(row), row.getString("its_time"), row.getString("its_transaction"));
    }
  }
}
