package io.tokenvault.adapters.jdbi.audit.chain;

import io.tokenvault.adapters.jdbi.audit.StoredEntries;
import io.tokenvault.adapters.jdbi.sql.EntryMarks;
import io.tokenvault.domain.audit.integrity.ChainEnd;
import io.tokenvault.domain.audit.integrity.StoredEntry;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.RowMapper;
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

  /**
   * The columns of a new entry. Of those that this process wrote, only the id, tenant and place are
   * read.
   */
  private static final String NEW_COLUMNS =
      Stream.of(
              "actor_id",
              "actor_type",
              "entity_type",
              "entity_id",
              "operation",
              "message",
              "mac",
              "mac_key",
              "trace_id")
          .map("CASE WHEN own THEN NULL ELSE entry.%1$s END AS %1$s"::formatted)
          .collect(
              Collectors.joining(
                  ", ",
                  "own, entry.tenant_id, entry.created_at, entry.sequence, entry.entry_id,"
                      + " entry.transaction_id::text AS its_transaction, NULL AS its_time, ",
                  ""));

  /** Whether this process wrote an entry and may have it in memory, by its id. */
  private static final String OWN = "entry_id BETWEEN :first::uuid AND :last::uuid AS own";

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
   * Selects entries of a restored dump that no recent link contains and that a chain has room for;
   * others would be found repeatedly.
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
          .formatted(COLUMNS, StoredEntries.USUAL.formatted("created_at"));

  /** Ends a query for new entries, before its limit: the order in which a round adds them. */
  private static final String IN_ORDER = "ORDER BY transaction_id, sequence LIMIT ";

  /** Selects the entries of a round that no part of it has added yet. */
  private static final String NOT_ADDED =
      """
      SELECT *, %s FROM audit_entry
      WHERE (transaction_id, sequence) > (:transaction::xid8, :sequence)
        AND pg_visible_in_snapshot(transaction_id, :target::pg_snapshot)
        AND sequence > :floor
      """
          .formatted(OWN);

  // Selects entries that the last snapshot did not see: of transactions that started after it, and
  // of those that were running. Each half reads its part of the index; a single condition would
  // read everything since the oldest running transaction. Within a round, the first half starts
  // where the previous part ended.
  //
  // The limit of a half is a subquery, which the planner cannot evaluate. It then reads in order of
  // the index and stops at the limit. With a number, which is large beside the few new entries that
  // it expects, it reads and sorts the whole backlog for each part.
  private static final String NEW =
      """
      SELECT %1$s
      FROM (
        (%2$s
          AND transaction_id >= pg_snapshot_xmax(:sealed::pg_snapshot)
          AND transaction_id < pg_snapshot_xmax(:target::pg_snapshot)
        %3$s (SELECT :limit))
        UNION ALL
        (%2$s
          AND transaction_id = ANY (ARRAY(SELECT pg_snapshot_xip(:sealed::pg_snapshot)))
        %3$s (SELECT :limit))
      ) AS entry
      %3$s :limit
      """
          .formatted(NEW_COLUMNS, NOT_ADDED, IN_ORDER);

  /** No ids: PostgreSQL finds nothing between NULL and NULL. */
  private static final EntryMarks.Range NONE = new EntryMarks.Range(null, null);

  private final Handle handle;
  private final ChainState state;
  private final Optional<EntryMarks> marks;
  private final int limit;

  UnchainedEntries(Handle handle, ChainState state, Optional<EntryMarks> marks, int limit) {
    this.handle = handle;
    this.state = state;
    this.marks = marks;
    this.limit = limit;
  }

  /**
   * Returns at most as many entries as the limit. Call {@link #noteLinked} with them afterwards.
   */
  List<Row> next() {
    if (state.hasOldest()) {
      return read(handle.createQuery(OLDEST), Row::read);
    }
    if (state.hasRestored()) {
      Query query = handle.createQuery(RESTORED);
      query.bind("floor", state.floor()).bind("lastNumber", lastNumber());
      return read(query, Row::read);
    }
    return marks.flatMap(this::nextInMemory).orElseGet(() -> nextNew(NONE, Row::read));
  }

  /**
   * Returns new entries, with the content from memory if this process wrote them; empty if memory
   * lacks one, such as one that another process inserted with an id of this process.
   */
  private Optional<List<Row>> nextInMemory(EntryMarks marks) {
    List<Row> rows = nextNew(marks.buffered(), (row, context) -> Row.read(row, marks));
    return rows.contains(null) ? Optional.empty() : Optional.of(rows);
  }

  private List<Row> nextNew(EntryMarks.Range own, RowMapper<Row> mapper) {
    Query query =
        handle
            .createQuery(NEW)
            .bind("first", own.first())
            .bind("last", own.last())
            .bind("sealed", state.last())
            .bind("target", state.target())
            .bind("transaction", state.transaction())
            .bind("sequence", state.sequence())
            .bind("floor", state.floor());
    return read(query, mapper);
  }

  private List<Row> read(Query query, RowMapper<Row> mapper) {
    return query.bind("limit", limit).map(mapper).list();
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
  boolean canLink(StoredEntry entry, ChainEnd end) {
    return StoredEntries.isUsual(entry.place().createdAt())
        && (end == null || end.number() <= lastNumber());
  }

  /** Records the progress. Fewer rows than the limit were the last of their kind. */
  void noteLinked(List<Row> rows) {
    boolean all = rows.size() < limit;
    if (state.hasOldest()) {
      noteOldest(all ? null : rows.get(rows.size() - 1));
    } else if (state.hasRestored()) {
      if (all) {
        // All entries of the restored dump were added.
        handle.execute("UPDATE audit_sealer SET restored_since = NULL");
      }
    } else if (!all) {
      notePart(rows.get(rows.size() - 1));
    } else if (!rows.isEmpty() || state.isInRound()) {
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

  /** Records a part of a round, so that the next call continues with the same target. */
  private void notePart(Row last) {
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
      return read(row, StoredEntries.read(row));
    }

    /** Reads an entry, or takes it from memory if it is an own one; null if it is not there. */
    static Row read(ResultSet row, EntryMarks marks) throws SQLException {
      if (!row.getBoolean("own")) {
        return read(row, StoredEntries.read(row));
      }
      Optional<StoredEntry> entry =
          marks.take(
              row.getObject("entry_id", UUID.class),
              StoredEntries.tenant(row, "tenant_id"),
              StoredEntries.place(row));
      return entry.isPresent() ? read(row, entry.get()) : null;
    }

    private static Row read(ResultSet row, StoredEntry entry) throws SQLException {
      return new Row(entry, row.getString("its_time"), row.getString("its_transaction"));
    }
  }

  /**
   * The progress of the hash chains, read under the lock of the process that extends them.
   *
   * <p>Progress is measured by snapshots of the database, since neither time nor sequence shows
   * when a transaction commits. A round adds the entries between two snapshots, in parts if there
   * are many.
   *
   * @param otherCluster whether the snapshots belong to another cluster: this database is a
   *     restored dump
   * @param hasOldest whether entries of versions without transaction ids may be left
   * @param hasRestored whether entries of a restored dump may be left
   * @param floor the last sequence at the time when the chains started with this cluster; snapshots
   *     cover only later entries
   * @param last a snapshot whose visible entries are in the chains
   * @param target a snapshot whose visible entries are being added; the current one if no round is
   *     in progress
   * @param targetAt the time of {@code target}, as the database writes it
   * @param transaction the transaction that the round has reached; 0 if none is in progress
   * @param sequence the sequence that the round has reached within that transaction
   */
  record ChainState(
      boolean otherCluster,
      boolean hasOldest,
      boolean hasRestored,
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
                 AS other_cluster,
               oldest_tenant IS NOT NULL AS has_oldest,
               restored_since IS NOT NULL AS has_restored,
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
      return found.orElseThrow(
          () -> new IllegalStateException("the table audit_sealer has no row"));
    }

    /** Returns whether older entries may have to be added before the new ones. */
    boolean isCatchingUp() {
      return hasOldest || hasRestored;
    }

    boolean isInRound() {
      return !transaction.equals("0");
    }

    private static ChainState read(ResultSet row, StatementContext context) throws SQLException {
      return new ChainState(
          row.getBoolean("other_cluster"),
          row.getBoolean("has_oldest"),
          row.getBoolean("has_restored"),
          row.getLong("floor"),
          row.getString("last"),
          row.getString("target"),
          row.getString("target_at"),
          row.getString("transaction"),
          row.getLong("sequence"));
    }
  }
}
