package io.tokenvault.adapters.jdbi.audit;

import io.tokenvault.adapters.jdbi.sql.Database;
import io.tokenvault.adapters.jdbi.sql.SqlValues;
import io.tokenvault.ports.audit.FeedEntry;
import io.tokenvault.ports.audit.FeedPosition;
import io.tokenvault.ports.audit.LogFeed;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jdbi.v3.core.statement.StatementContext;

/**
 * The audit log as a feed, in the order of the hash chain links of all tenants.
 *
 * <p>A position is the number of a link and the place of an entry in it. Only one node at a time
 * adds links, so that no link appears before one that was read already.
 */
public final class JdbiLogFeed implements LogFeed {

  // No entry is newer than its link. Links that earlier versions added may be older than their
  // entries if the clock was set back.
  private static final Duration CLOCKS = Duration.ofHours(1);

  // Some links have thousands of entries, most have few.
  private static final int SEALS = 200;

  /** Restricts links to one tenant, or to all if the parameter is NULL. */
  private static final String TENANT = "(:tenant::uuid IS NULL OR seal.tenant_id = :tenant)";

  /** Selects the next links with the number of their entries. */
  private static final String NEXT_SEALS =
      """
      SELECT position, cardinality(times) AS places
      FROM audit_seal AS seal
      WHERE position >= :seal AND position <= :lastSeal AND %s
      ORDER BY position
      LIMIT :seals
      """
          .formatted(TENANT);

  // Looks up the log's rows one by one, each in the partition of its month. A place without an
  // entry has NULL columns.
  private static final String ENTRIES =
      """
      SELECT named.position, named.number, named.place,
             EXISTS (
               SELECT FROM audit_drop
               WHERE month = date_trunc('month', named.created_at AT TIME ZONE 'UTC')) AS dropped,
             %2$s
      FROM (
        SELECT seal.position, seal.tenant_id, seal.number, place.created_at, place.sequence,
               place.number AS place
        FROM audit_seal AS seal
        CROSS JOIN LATERAL unnest(seal.times, seal.sequences) WITH ORDINALITY
          AS place (created_at, sequence, number)
        WHERE seal.position BETWEEN :seal AND :lastSeal AND %1$s
          AND (seal.position, place.number) > (:seal, :place)
          AND (seal.position, place.number) <= (:lastSeal, :lastPlace)
          AND (:from::timestamptz IS NULL OR place.created_at >= :from)
          AND (:until::timestamptz IS NULL OR place.created_at < :until)
        ORDER BY seal.position, place.number
        LIMIT :limit) AS named
      LEFT JOIN LATERAL (
        SELECT * FROM audit_entry AS each
        WHERE each.tenant_id = named.tenant_id AND each.created_at = named.created_at
          AND each.sequence = named.sequence
        OFFSET 0) AS entry ON true
      ORDER BY named.position, named.place
      """
          .formatted(TENANT, StoredEntries.COLUMNS);

  private final Database database;

  public JdbiLogFeed(Database database) {
    this.database = database;
  }

  @Override
  public FeedPosition end() {
    return find("""
            SELECT position, cardinality(times) AS place FROM audit_seal
            ORDER BY position DESC LIMIT 1
            """)
        .orElse(FeedPosition.START);
  }

  /** Runs a query for one position. */
  private Optional<FeedPosition> find(String sql, Object... arguments) {
    return database.run(
        handle -> handle.select(sql, arguments).map((row, context) -> position(row)).findOne());
  }

  /** Reads a position from the columns {@code position} and {@code place}. */
  private static FeedPosition position(ResultSet row) throws SQLException {
    return new FeedPosition(row.getLong("position"), row.getInt("place"));
  }

  @Override
  public FeedPosition before(Instant time) {
    // Without a link at that time or later, the position is the end of the feed.
    return find(
            """
            SELECT position, 0 AS place FROM audit_seal WHERE sealed_at >= ?
            ORDER BY sealed_at, position LIMIT 1
            """,
            SqlValues.time(time.minus(CLOCKS)))
        .orElseGet(this::end);
  }

  @Override
  public Batch read(Selection selection, FeedPosition after, FeedPosition last, int limit) {
    return database.run(
        handle -> {
          FeedPosition end = bounded(handle, selection, after, last, limit);
          List<Row> rows =
              bind(handle.createQuery(ENTRIES), selection, after, end)
                  .bind("limit", limit)
                  .map(Row::read)
                  .list();
          // If the limit was reached, the next call continues after the last entry.
          return batch(rows, rows.size() < limit ? end : rows.get(limit - 1).position());
        });
  }

  /** Returns an end at or before {@code last} that is close enough to be read by one statement. */
  private static FeedPosition bounded(
      Handle handle, Selection selection, FeedPosition after, FeedPosition last, int limit) {
    List<FeedPosition> ends =
        bind(handle.createQuery(NEXT_SEALS), selection, after, last)
            .bind("seals", SEALS)
            .map((row, context) -> new FeedPosition(row.getLong(1), row.getInt("places")))
            .list();
    long places = -after.place();
    for (FeedPosition end : ends) {
      places += end.place();
      if (places >= limit && end.compareTo(last) < 0) {
        return end;
      }
    }
    return ends.size() < SEALS ? last : ends.get(SEALS - 1);
  }

  private static <S extends SqlStatement<S>> S bind(
      S statement, Selection selection, FeedPosition after, FeedPosition last) {
    return statement
        .bind("tenant", selection.tenant().map(tenant -> tenant.value()).orElse(null))
        .bind("from", SqlValues.time(selection.from()))
        .bind("until", SqlValues.time(selection.until()))
        .bind("seal", after.chainLink())
        .bind("place", after.place())
        .bind("lastSeal", last.chainLink())
        .bind("lastPlace", last.place());
  }

  /**
   * Returns the entries that were found, and the number of those that are missing although their
   * partition was not dropped.
   */
  private static Batch batch(List<Row> rows, FeedPosition reached) {
    List<FeedEntry> entries = new ArrayList<>();
    rows.forEach(row -> row.entry().ifPresent(entries::add));
    long missing = rows.stream().filter(row -> row.entry().isEmpty() && !row.dropped()).count();
    return new Batch(entries, reached, Math.toIntExact(missing));
  }

  @Override
  public FeedPosition progress(String reader) {
    return find("SELECT position, place FROM audit_stream WHERE stream = ?", reader)
        .orElse(FeedPosition.START);
  }

  @Override
  public boolean advance(String reader, FeedPosition from, FeedPosition to) {
    return database.run(
            handle ->
                handle
                    .createUpdate(
                        """
                        INSERT INTO audit_stream (stream, position, place)
                        SELECT :stream, :toSeal, :toPlace WHERE (:seal, :place) = (0, 0)
                          OR EXISTS (SELECT FROM audit_stream WHERE stream = :stream)
                        ON CONFLICT (stream) DO UPDATE
                        SET position = excluded.position, place = excluded.place,
                            moved_at = clock_timestamp()
                        WHERE (audit_stream.position, audit_stream.place) = (:seal, :place)
                        """)
                    .bind("stream", reader)
                    .bind("seal", from.chainLink())
                    .bind("place", from.place())
                    .bind("toSeal", to.chainLink())
                    .bind("toPlace", to.place())
                    .execute())
        == 1;
  }

  /**
   * A place in a link, and its entry.
   *
   * @param position the place
   * @param dropped whether the partition of the entry's month was dropped; it can contain entries
   *     that were written later under a wrong clock
   * @param entry the entry, if it exists
   */
  private record Row(FeedPosition position, boolean dropped, Optional<FeedEntry> entry) {

    static Row read(ResultSet row, StatementContext context) throws SQLException {
      FeedPosition position = JdbiLogFeed.position(row);
      return new Row(
          position,
          row.getBoolean("dropped"),
          row.getObject("tenant_id") == null
              ? Optional.empty()
              : Optional.of(
                  new FeedEntry(position, row.getLong("number"), StoredEntries.read(row))));
    }
  }
}
