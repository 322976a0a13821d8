package io.tokenvault.adapters.jdbi.sql;

import io.tokenvault.ports.store.Page;
import io.tokenvault.ports.store.PageRequest;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.statement.Query;

/** Reads a page and counts all rows that match, in one statement and so on one snapshot. */
public final class PageQuery {

  /**
   * Joins the total to the rows of the page, so that an empty page still yields a row with the
   * total.
   */
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
   * Creates a query for pages of a table.
   *
   * @param columns the columns of the page's rows, which may contain window functions over the page
   * @param table the table to read and count
   * @param order the terms of {@code ORDER BY}, which must be unique for each row
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
   * Returns a query that reads the page's rows from another source and still counts in the table.
   *
   * @param source a table expression that contains at least the first {@code :limit} rows after
   *     {@code :offset} that match the filter, and all rows before them
   */
  public PageQuery from(String source) {
    return new PageQuery(columns, table, order, source);
  }

  /**
   * Reads a page.
   *
   * @param filter the conditions on the rows
   * @param request the page's number and size
   * @param mapper maps a row of the page's columns
   */
  public <T> Page<T> page(
      Handle handle, QueryFilter filter, PageRequest request, RowMapper<T> mapper) {
    return page(query(handle, filter, request), request, mapper);
  }

  /** Returns the statement; parameters that {@code columns} contain are still to be bound. */
  Query query(Handle handle, QueryFilter filter, PageRequest request) {
    return filter
        .bindTo(handle.createQuery(STATEMENT.formatted(columns, table, filter.sql(), order, rows)))
        .bind("limit", request.size())
        .bind("offset", request.offset());
  }

  /** Runs a statement of {@link #query} whose parameters are all bound. */
  static <T> Page<T> page(Query query, PageRequest request, RowMapper<T> mapper) {
    List<Counted<T>> rows = query.map(counted(mapper)).list();
    List<T> items = rows.stream().flatMap(row -> row.item().stream()).toList();
    return new Page<>(items, rows.get(0).total(), request);
  }

  /** Maps a row to the total and, unless the page is empty, its item. */
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
