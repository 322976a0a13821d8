package io.tokenvault.adapters.jdbi.sql;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.Page;
import io.tokenvault.ports.store.PageRequest;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jdbi.v3.core.statement.StatementContext;

/**
 * A query for rows that meet all of its conditions. The first condition restricts the query to one
 * tenant, so no list can show rows of another.
 *
 * <p>Values are always bound as parameters, never put into the SQL text:
 *
 * <pre>{@code
 * FilteredQuery filter = FilteredQuery.of(tenantId).andIf(type, "type = %s", Type::value);
 * filter.bindTo(handle.createQuery("SELECT id FROM item WHERE " + filter.sql()));
 * }</pre>
 */
public final class FilteredQuery {

  /** A condition that no row meets. */
  public static final String NOTHING = "FALSE";

  /**
   * Joins the total to the rows of the page, so that an empty page still yields a row with the
   * total.
   */
  private static final String PAGE =
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

  private final List<String> conditions = new ArrayList<>();
  private final Map<String, Object> values = new LinkedHashMap<>();

  private FilteredQuery() {}

  /** Returns a filter for the rows of a tenant. */
  public static FilteredQuery of(TenantId tenantId) {
    FilteredQuery filter = new FilteredQuery();
    return filter.and(filter.condition("tenant_id = %s", tenantId.value()));
  }

  /**
   * Returns a filter for the rows of a tenant that have a value.
   *
   * @param template a condition that requires both, with {@code %1$s} for the tenant's id and
   *     {@code %2$s} for the value
   */
  public static FilteredQuery of(TenantId tenantId, String template, Object value) {
    FilteredQuery filter = new FilteredQuery();
    return filter.and(filter.condition(template, tenantId.value(), value));
  }

  /** Adds a condition. It contains only constants and names that {@link #condition} returned. */
  public FilteredQuery and(String condition) {
    conditions.add(condition);
    return this;
  }

  /**
   * Adds a condition on a value if the value is present.
   *
   * @param template the condition, with {@code %s} for the value
   * @param mapping converts the value to one that JDBI can bind
   */
  public <T> FilteredQuery andIf(Optional<T> value, String template, Function<T, Object> mapping) {
    return value.isPresent() ? and(condition(template, mapping.apply(value.get()))) : this;
  }

  /** Adds a condition on the strings of a list unless the list is empty. */
  public <T> FilteredQuery andIfTexts(
      Collection<T> values, String template, Function<T, String> text) {
    return values.isEmpty() ? this : and(anyOf(template, values, text));
  }

  /** Adds a condition on the UUIDs of a list unless the list is empty. */
  public <T> FilteredQuery andIfUuids(Collection<T> values, String template, Function<T, UUID> id) {
    return values.isEmpty() ? this : and(condition(template, SqlValues.uuids(values, id)));
  }

  /**
   * Returns a condition on the strings of a list. Those that PostgreSQL cannot store are omitted,
   * since no row can contain them.
   */
  public <T> String anyOf(String template, Collection<T> values, Function<T, String> text) {
    return condition(
        template,
        SqlValues.texts(values.stream().map(text).filter(FilteredQuery::isStorable).toList()));
  }

  /**
   * Returns a condition and records its values for {@link #bindTo}.
   *
   * @param template the condition, with a {@code %s} for each argument
   * @return {@link #NOTHING} if an argument is a string that PostgreSQL cannot store
   */
  public String condition(String template, Object... arguments) {
    for (Object argument : arguments) {
      if (argument instanceof String text && !isStorable(text)) {
        return NOTHING;
      }
    }
    return template.formatted(Arrays.stream(arguments).map(this::name).toArray());
  }

  /** Returns whether PostgreSQL can store a string: it rejects NUL and unpaired surrogates. */
  private static boolean isStorable(String text) {
    return text.indexOf('\0') < 0 && StandardCharsets.UTF_8.newEncoder().canEncode(text);
  }

  /** Records a value and returns the name of its parameter. */
  private String name(Object value) {
    String name = "value" + values.size();
    values.put(name, value);
    return ":" + name;
  }

  /** Returns the conditions, joined by {@code AND}. */
  public String sql() {
    return String.join("\n  AND ", conditions);
  }

  /** Binds all recorded values to a statement that contains {@link #sql}. */
  public <S extends SqlStatement<S>> S bindTo(S statement) {
    values.forEach(statement::bind);
    return statement;
  }

  /**
   * Reads a page and counts all rows that match, in one statement and so on one snapshot.
   *
   * @param listing what to read
   * @param rows a table expression that contains at least the first {@code :limit} rows after
   *     {@code :offset} that match the filter, and all rows before them
   * @param request the page's number and size
   * @param mapper maps a row of the page's columns
   */
  public <T> Page<T> page(
      Handle handle, Listing listing, String rows, PageRequest request, RowMapper<T> mapper) {
    return page(query(handle, listing, rows, request), request, mapper);
  }

  /**
   * Reads a page of applications, proxies or tokens, whose large columns need a memory reservation.
   *
   * @param listing columns that depend on {@code :reserved} and contain a {@code weight}; see
   *     {@link StoredColumns}
   * @param mapper maps a row; not called for rows without their large columns
   * @param reservation the reservation that is increased by the size of the large columns
   * @throws io.tokenvault.domain.failure.RefusedException if the memory is not available
   */
  public <T> Page<T> page(
      Handle handle,
      Listing listing,
      PageRequest request,
      RowMapper<T> mapper,
      MemoryReservation reservation) {
    return Database.readReserved(
            reserved ->
                page(
                    query(handle, listing, listing.table(), request).bind("reserved", reserved),
                    request,
                    (row, context) -> Weighed.read(row, context, reserved, mapper)),
            page -> page.items().isEmpty() ? 0 : page.items().get(0).weight(),
            reservation)
        .map(Weighed::item);
  }

  private Query query(Handle handle, Listing listing, String rows, PageRequest request) {
    String sql = PAGE.formatted(listing.columns(), listing.table(), sql(), listing.order(), rows);
    return bindTo(handle.createQuery(sql))
        .bind("limit", request.size())
        .bind("offset", request.offset());
  }

  private static <T> Page<T> page(Query query, PageRequest request, RowMapper<T> mapper) {
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

  /** The weight of a page, with one of its items unless the page weighs too much. */
  private record Weighed<T>(long weight, T item) {
    static <T> Weighed<T> read(
        ResultSet row, StatementContext context, long reserved, RowMapper<T> mapper)
        throws SQLException {
      long weight = row.getLong("weight");
      return new Weighed<>(weight, weight > reserved ? null : mapper.map(row, context));
    }
  }

  /** The total, with an item of the page unless the page is empty. */
  private record Counted<T>(long total, Optional<T> item) {}

  /**
   * The rows of which pages are read.
   *
   * @param columns the columns of the page's rows, which may contain window functions over the page
   * @param table the table to read and count
   * @param order the terms of {@code ORDER BY}, which must be unique for each row
   */
  public record Listing(String columns, String table, String order) {}
}
