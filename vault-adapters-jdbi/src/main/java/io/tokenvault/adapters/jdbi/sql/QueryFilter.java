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

/** Conditions that all have to hold, the tenant's first, and the values that they name. */
public final class QueryFilter {

  /** A condition that holds for nothing. */
  public static final String NOTHING = "FALSE";

  private final List<String> conditions = new ArrayList<>();
  private final Map<String, Object> values = new LinkedHashMap<>();

  private QueryFilter() {}

  public static QueryFilter of(TenantId tenantId) {
    QueryFilter filter = new QueryFilter();
    return filter.and(filter.condition("tenant_id = %s", tenantId.value()));
  }

  public QueryFilter and(String condition) {
    conditions.add(condition);
    return this;
  }

  /** Restricts where there is a value. */
  public <T> QueryFilter andIf(Optional<T> value, String template, Function<T, Object> mapping) {
    return value.isPresent() ? and(condition(template, mapping.apply(value.get()))) : this;
  }

  public QueryFilter andIfTexts(Collection<String> anyOf, String template) {
    return anyOf.isEmpty() ? this : and(anyOf(template, anyOf));
  }

  public QueryFilter andIfUuids(Collection<UUID> anyOf, String template) {
    return anyOf.isEmpty() ? this : and(condition(template, SqlValues.uuids(anyOf)));
  }

  /** A condition on a list of texts; without any, one on an empty list. */
  public String anyOf(String template, Collection<String> texts) {
    return condition(
        template, SqlValues.texts(texts.stream().filter(QueryFilter::isStorable).toList()));
  }

  /** A condition on values, each of which stands for a {@code %s}. */
  public String condition(String template, Object... arguments) {
    if (Arrays.stream(arguments).anyMatch(QueryFilter::cannotBeStored)) {
      return NOTHING;
    }
    return template.formatted(Arrays.stream(arguments).map(this::name).toArray());
  }

  private static boolean cannotBeStored(Object value) {
    return value instanceof String text && !isStorable(text);
  }

  /** A text with NUL or half a surrogate pair differs from all that PostgreSQL can hold. */
  private static boolean isStorable(String text) {
    return text.indexOf('\0') < 0 && StandardCharsets.UTF_8.newEncoder().canEncode(text);
  }

  private String name(Object value) {
    String name = "value" + values.size();
    values.put(name, value);
    return ":" + name;
  }

  public String sql() {
    return String.join("\n  AND ", conditions);
  }

  public <S extends SqlStatement<S>> S bindTo(S statement) {
    values.forEach(statement::bind);
    return statement;
  }
}
