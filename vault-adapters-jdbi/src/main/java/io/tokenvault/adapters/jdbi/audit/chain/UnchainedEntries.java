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
 * Finds what is to be sealed next, and notes how far that was. Entries of older versions come
 * first, then those of which a restored dump does not tell whether they are sealed, then the new
 * ones: not by time or sequence, which say nothing of when a transaction commits, but by what
 * snapshots of the database saw.
 */
final class UnchainedEntries {

  private static final String COLUMNS =
      StoredEntries.COLUMNS + ", entry.created_at::text AS its_time";

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

  // What the last snapshot did not see: the transactions that began after it, and those that ran.
  // Each of the two reads its part of the index; a single condition would read all since the
  // oldest that runs. Within a round, the first begins where the part before ended.
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

  /** At most as many as the limit; call {@link #noteSealed} with them. */
  List<Row> next() {
    Query query =
        state.oldestWait()
            ? handle.createQuery(OLDEST)
            : state.restoredWait()
                ? withRoom(handle.createQuery(RESTORED))
                : withSnapshots(handle.createQuery(NEW));
    return query.bind("limit", limit).map(Row::read).list();
  }

  /** Entries that are passed over would be found again and again. */
  private Query withRoom(Query query) {
    return query.bind("floor", state.floor()).bind("lastNumber", lastNumber());
  }

  /** The last number of a chain that has room for a seal of each entry. */
  private long lastNumber() {
    return Long.MAX_VALUE - limit;
  }

  /**
   * Whether an entry can be sealed: at a time that a seal can name, in a chain that has room.
   *
   * @param end of its chain; null if there is none yet
   */
  boolean canSeal(StoredEntry entry, ChainEnd end) {
    return LogTimestamps.isUsual(entry.place().createdAt())
        && (end == null || end.number() <= lastNumber());
  }

  private Query withSnapshots(Query query) {
    return query
        .bind("last", state.last())
        .bind("target", state.target())
        .bind("transaction", state.transaction())
        .bind("sequence", state.sequence())
        .bind("floor", state.floor());
  }

  /** Fewer rows than the limit were the last of their kind. */
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

  private void noteRestored(boolean all) {
    if (all) {
      handle.execute("UPDATE audit_sealer SET restored_since = NULL");
    }
  }

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
   * An entry to seal.
   *
   * @param time of the entry, as the database writes it
   * @param transaction null for the oldest entries
   */
  record Row(StoredEntry entry, String time, String transaction) {
    static Row read(ResultSet row, StatementContext context) throws SQLException {
      return new Row(
          StoredEntries.read(row), row.getString("its_time"), row.getString("its_transaction"));
    }
  }
}
