package io.tokenvault.adapters.jdbi.sql;

import io.tokenvault.ports.store.Page;
import io.tokenvault.ports.store.PageRequest;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.statement.Query;

/** Reads a page and counts what all pages hold, in one statement and so as of one moment. */
public final class PageQuery {

  private static final String STATEMENT =
      """
      SELECT counted.total, page.*
      FROM (SELECT count(*) AS total FROM %2$s WHERE %3$s) AS counted
      LEFT JOIN (
        SELECT %1$s, place
        FROM (
          SELECT *, row_number() OVER (ORDER BY %4$s) AS place
          FROM %5$s
          WHERE %3$s
          ORDER BY %4$s
          LIMIT :limit OFFSET :offset
        ) AS chosen
      ) AS page ON TRUE
      ORDER BY page.place
      """;

  private final String columns;
  private final String table;
  private final String order;
  private final String rows;

  /**
   * @param columns of the page's rows alone, also for window functions
   */
  public PageQuery(String columns, String table, String order) {
    this(columns, table, order, table);
  }

  private PageQuery(String columns, String table, String order, String rows) {
    this.columns = columns;
    this.table = table;
    this.order = order;
    this.rows = rows;
  }

  /**
   * Reads a page's rows elsewhere, and counts in the table.
   *
   * @param source has the first {@code :limit} rows after {@code :offset} that the filter lets
   *     through, and all before them
   */
  public PageQuery from(String source) {
    return new PageQuery(columns, table, order, source);
  }

  public <T> Page<T> page(
      Handle handle, QueryFilter filter, PageRequest request, RowMapper<T> mapper) {
    return page(query(handle, filter, request), request, mapper);
  }

  /** With the names of {@code columns} still to be bound. */
  Query query(Handle handle, QueryFilter filter, PageRequest request) {
    return filter
        .bindTo(handle.createQuery(STATEMENT.formatted(columns, table, filter.sql(), order, rows)))
        .bind("limit", request.size())
        .bind("offset", request.offset());
  }

  static <T> Page<T> page(Query query, PageRequest request, RowMapper<T> mapper) {
    List<Counted<T>> rows = query.map(counted(mapper)).list();
    List<T> items = rows.stream().flatMap(row -> row.item().stream()).toList();
    return new Page<>(items, rows.get(0).total(), request);
  }

  private static <T> RowMapper<Counted<T>> counted(RowMapper<T> mapper) {
    return (row, context) ->
        new Counted<>(
            row.getLong("total"),
            row.getObject("place") == null
                ? Optional.empty()
                : Optional.of(mapper.map(row, context)));
  }

  /** The total, with an item of the page unless the page is empty. */
  private record Counted<T>(long total, Optional<T> item) {}
}
