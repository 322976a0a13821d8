package io.tokenvault.adapters.jdbi.audit.chain;

import io.tokenvault.adapters.jdbi.audit.StoredEntries;
import io.tokenvault.adapters.jdbi.sql.Database;
import io.tokenvault.domain.audit.integrity.ChainLink;
import io.tokenvault.domain.audit.integrity.EntryPlace;
import io.tokenvault.domain.audit.integrity.LogHash;
import io.tokenvault.domain.audit.integrity.LogTag;
import io.tokenvault.domain.audit.integrity.PartitionDrop;
import io.tokenvault.domain.audit.integrity.StoredEntry;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.ChainedLog;
import io.tokenvault.ports.audit.LogItem;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.result.ResultIterator;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.StatementContext;

/**
 * The audit log with its hash chains, read for verification.
 *
 * <p>All queries run on one snapshot and use cursors, so that neither the driver nor the reader
 * holds more than a part in memory. Comparisons that need the whole log run in the database, which
 * can use its disk for them.
 */
public final class JdbiChainedLog implements ChainedLog {

  /** Number of rows that a cursor fetches at once. */
  private static final int FETCH = 1000;

  /** Selects the records of dropped partitions. */
  private static final String DROPS =
      "SELECT month, entries, dropped_at, mac, mac_key FROM audit_drop ORDER BY month";

  /**
   * Selects each place of each link with its entry; the entry's columns are NULL if it is missing.
   */
  private static final String LINKS =
      """
      SELECT seal.tenant_id AS seal_tenant, seal.number, seal.head, seal.mac AS seal_mac,
             seal.mac_key AS seal_mac_key, place.created_at AS place_time,
             place.sequence AS place_sequence, %2$s
      FROM (SELECT * FROM audit_seal WHERE %1$s) AS seal
      CROSS JOIN LATERAL unnest(seal.times, seal.sequences) WITH ORDINALITY
        AS place (created_at, sequence, number)
      LEFT JOIN audit_entry AS entry
        ON entry.tenant_id = seal.tenant_id AND entry.created_at = place.created_at
          AND entry.sequence = place.sequence
      ORDER BY seal.tenant_id, seal.number, place.number
      """;

  /**
   * Selects the entries that no link contains, with whether they were passed over: the chain has
   * already progressed beyond them, so that they will not be added.
   */
  private static final String UNCHAINED =
      """
      SELECT %2$s,
             (NOT (
               (transaction_id IS NULL AND sealer.oldest_tenant IS NOT NULL
                 AND (tenant_id, created_at, sequence) >
                   (sealer.oldest_tenant, sealer.oldest_time, sealer.oldest_sequence))
               OR (created_at >= sealer.restored_since AND sequence <= sealer.floor_sequence)
               OR (sealer.cluster <> (SELECT database_cluster())
                 AND created_at >= sealer.sealed_at - interval '1 hour')
               OR (sequence > sealer.floor_sequence
                 AND transaction_id < pg_snapshot_xmax(pg_current_snapshot())
                 AND NOT pg_visible_in_snapshot(transaction_id, sealer.sealed_snapshot)
                 AND NOT (
                   sealer.target_snapshot IS NOT NULL
                   AND pg_visible_in_snapshot(transaction_id, sealer.target_snapshot)
                   AND (transaction_id, sequence) <=
                     (sealer.target_transaction, sealer.target_sequence)))
             )) IS NOT FALSE AS passed
      FROM audit_entry AS entry
      LEFT JOIN audit_sealer AS sealer ON true
      WHERE %1$s
        AND NOT EXISTS (
          SELECT 1
          FROM (
            SELECT tenant_id, unnest(times) AS created_at, unnest(sequences) AS sequence
            FROM audit_seal
            WHERE %1$s) AS named
          WHERE named.tenant_id = entry.tenant_id AND named.created_at = entry.created_at
            AND named.sequence = entry.sequence)
      ORDER BY tenant_id, created_at, sequence
      """;

  /** Selects the entries whose id occurs more than once. */
  private static final String COPIES =
      """
      SELECT tenant_id, created_at, sequence
      FROM audit_entry
      WHERE %1$s AND entry_id IN (
        SELECT entry_id FROM audit_entry
        WHERE %1$s AND entry_id IS NOT NULL
        GROUP BY entry_id HAVING count(*) > 1)
      ORDER BY tenant_id, created_at, sequence
      """;

  private final Database database;

  public JdbiChainedLog(Database database) {
    this.database = database;
  }

  @Override
  public void read(Optional<TenantId> tenant, Consumer<LogItem> reader) {
    database.useSnapshot(
        handle -> {
          readAll(handle.createQuery(DROPS), JdbiChainedLog::readDrop, reader);
          try (ResultIterator<LinkRow> rows =
              query(handle, LINKS, tenant).map(LinkRow::read).iterator()) {
            readLinks(rows, reader);
          }
          readAll(
              query(handle, UNCHAINED, tenant),
              (row, context) ->
                  new LogItem.Unchained(StoredEntries.read(row), row.getBoolean("passed")),
              reader);
          readAll(
              query(handle, COPIES, tenant),
              (row, context) ->
                  new LogItem.Copy(
                      StoredEntries.tenant(row, "tenant_id"), StoredEntries.place(row)),
              reader);
        });
  }

  /** Returns a query for one tenant or for all, with a cursor. */
  private static Query query(Handle handle, String sql, Optional<TenantId> tenant) {
    String condition = tenant.isPresent() ? "tenant_id = :tenant" : "true";
    Query query =
        handle.createQuery(sql.formatted(condition, StoredEntries.COLUMNS)).setFetchSize(FETCH);
    tenant.ifPresent(id -> query.bind("tenant", id.value()));
    return query;
  }

  /** Passes all rows of a query to the reader, one at a time. */
  private static <T extends LogItem> void readAll(
      Query query, RowMapper<T> mapper, Consumer<LogItem> reader) {
    try (ResultIterator<T> items = query.map(mapper).iterator()) {
      items.forEachRemaining(reader);
    }
  }

  /** Groups consecutive rows of one link and passes each link to the reader. */
  private static void readLinks(Iterator<LinkRow> rows, Consumer<LogItem> reader) {
    List<LinkRow> link = new ArrayList<>();
    while (rows.hasNext()) {
      LinkRow row = rows.next();
      if (!link.isEmpty() && !link.get(0).isOfSameLink(row)) {
        reader.accept(link(link));
        link.clear();
      }
      link.add(row);
    }
    if (!link.isEmpty()) {
      reader.accept(link(link));
    }
  }

  /** Builds a link from its rows, all of which repeat its head and MAC. */
  private static LogItem.Link link(List<LinkRow> rows) {
    LinkRow first = rows.get(0);
    ChainLink chainLink =
        new ChainLink(
            first.tenantId(),
            first.number(),
            rows.stream().map(LinkRow::place).toList(),
            first.head(),
            first.mac());
    return new LogItem.Link(chainLink, rows.stream().map(LinkRow::entry).toList());
  }

  private static LogItem.Drop readDrop(ResultSet row, StatementContext context)
      throws SQLException {
    return new LogItem.Drop(
        new PartitionDrop(
            month(row.getObject("month", LocalDate.class)),
            row.getLong("entries"),
            StoredEntries.time(row, "dropped_at"),
            StoredEntries.tag(row, "mac", "mac_key")));
  }

  /** Returns the month of a dropped partition; for NULL, a month that the vault never dropped. */
  private static YearMonth month(LocalDate date) {
    return date == null ? YearMonth.of(0, 1) : YearMonth.from(date);
  }

  /**
   * A place in a link.
   *
   * @param tenantId the tenant of the chain
   * @param number the number of the link in the chain
   * @param place the place of the entry in the log
   * @param head the hash of the chain up to this link
   * @param mac the MAC over the link
   * @param entry the entry at that place, if it exists
   */
  private record LinkRow(
      TenantId tenantId,
      long number,
      EntryPlace place,
      LogHash head,
      LogTag mac,
      Optional<StoredEntry> entry) {

    static LinkRow read(ResultSet row, StatementContext context) throws SQLException {
      boolean isThere = row.getObject("tenant_id") != null;
      return new LinkRow(
          StoredEntries.tenant(row, "seal_tenant"),
          row.getLong("number"),
          new EntryPlace(StoredEntries.time(row, "place_time"), row.getLong("place_sequence")),
          StoredEntries.hash(row, "head"),
          StoredEntries.tag(row, "seal_mac", "seal_mac_key"),
          isThere ? Optional.of(StoredEntries.read(row)) : Optional.empty());
    }

    /** Returns whether another row belongs to this row's link. */
    boolean isOfSameLink(LinkRow other) {
      return number == other.number && tenantId.equals(other.tenantId);
    }
  }
}
