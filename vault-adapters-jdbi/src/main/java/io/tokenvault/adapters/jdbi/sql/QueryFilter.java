package io.tokenvault.adapters.jdbi.sql;

import io.tokenvault.domain.tenant.TenantId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jdbi.v3.core.statement.SqlStatement;

/**
 * Conditions of a query that must all hold, with the values that they contain. The first condition
 * restricts the query to one tenant, so no list can show rows of another.
 *
 * <p>Values are always bound as parameters, never put into the SQL text:
 *
 * <pre>{@code
 * QueryFilter filter = QueryFilter.of(tenantId).andIf(type, "type = %s", Type::value);
 * filter.bindTo(handle.createQuery("SELECT id FROM item WHERE " + filter.sql()));
 * }</pre>
 */
public final class QueryFilter {

  /** A condition that no row meets. */
  public static final String NOTHING = "FALSE";

  private final List<String> conditions = new ArrayList<>();
  private final Map<String, Object> values = new LinkedHashMap<>();

  private QueryFilter() {}

  /** Returns a filter for the rows of a tenant. */
  public static QueryFilter of(TenantId tenantId) {
    QueryFilter filter = new QueryFilter();
    return filter.and(filter.condition("tenant_id = %s", tenantId.value()));
  }

  /** Adds a condition. It contains only constants and names that {@link #condition} returned. */
  public QueryFilter and(String condition) {
    conditions.add(condition);
    return this;
  }

  /**
   * Adds a condition on a value if the value is present.
   *
   * @param template the condition, with {@code %s} for the value
   * @param mapping converts the value to one that JDBI can bind
   */
  public <T> QueryFilter andIf(Optional<T> value, String template, Function<T, Object> mapping) {
    return value.isPresent() ? and(condition(template, mapping.apply(value.get()))) : this;
  }

  /** Adds a condition on a list of strings unless the list is empty. */
  public QueryFilter andIfTexts(Collection<String> anyOf, String template) {
    return anyOf.isEmpty() ? this : and(anyOf(template, anyOf));
  }

  /** Adds a condition on a list of UUIDs unless the list is empty. */
  public QueryFilter andIfUuids(Collection<UUID> anyOf, String template) {
    return anyOf.isEmpty() ? this : and(condition(template, SqlValues.uuids(anyOf)));
  }

  /**
   * Returns a condition on a list of strings. Strings that PostgreSQL cannot store are left out,
   * since no row can contain them.
   */
  public String anyOf(String template, Collection<String> texts) {
    return condition(
        template, SqlValues.texts(texts.stream().filter(QueryFilter::isStorable).toList()));
  }

  /**
   * Returns a condition and records its values for {@link #bindTo}.
   *
   * @param template the condition, with a {@code %s} for each argument
   * @return {@link #NOTHING} if an argument is a string that PostgreSQL cannot store
   */
  public String condition(String template, Object... arguments) {
    if (Arrays.stream(arguments).anyMatch(QueryFilter::cannotBeStored)) {
      return NOTHING;
    }
    return template.formatted(Arrays.stream(arguments).map(this::name).toArray());
  }

  private static boolean cannotBeStored(Object value) {
    return value instanceof String text && !isStorable(text);
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
}
