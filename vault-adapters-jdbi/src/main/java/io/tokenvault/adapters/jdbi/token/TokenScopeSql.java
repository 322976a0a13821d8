package io.tokenvault.adapters.jdbi.token;

import io.tokenvault.adapters.jdbi.sql.QueryFilter;
import io.tokenvault.domain.access.Condition;
import io.tokenvault.domain.access.TokenScope;
import io.tokenvault.domain.access.TokenScope.Clause;
import io.tokenvault.domain.access.TokenSelector;
import io.tokenvault.domain.access.TokenSelector.InContainer;
import io.tokenvault.domain.access.TokenSelector.MeetsAll;
import java.util.stream.Collectors;

/**
 * Translates a token scope to conditions on the token table; agrees with {@link
 * TokenScope#contains}.
 */
final class TokenScopeSql {

  /** Template that tests whether the path of one of the token's containers has a prefix. */
  static final String SOME_CONTAINER_STARTS_WITH =
      "EXISTS (SELECT 1 FROM unnest(containers) AS path WHERE starts_with(path, %s))";

  private final QueryFilter filter;

  private TokenScopeSql(QueryFilter filter) {
    this.filter = filter;
  }

  /** Restricts a filter to the tokens in scope. */
  static QueryFilter restrict(QueryFilter filter, TokenScope scope) {
    TokenScopeSql sql = new TokenScopeSql(filter);
    scope.clauses().forEach(clause -> filter.and(sql.anyOf(clause)));
    return filter;
  }

  /** Translates a clause, which permits nothing if it has no selectors. */
  private String anyOf(Clause clause) {
    return clause.anyOf().isEmpty()
        ? QueryFilter.NOTHING
        : clause.anyOf().stream().map(this::selector).collect(Collectors.joining(" OR ", "(", ")"));
  }

  /** Translates a selector: a container with all below it, or conditions that must all hold. */
  private String selector(TokenSelector selector) {
    if (selector instanceof InContainer in) {
      return filter.condition(SOME_CONTAINER_STARTS_WITH, in.container().path());
    }
    return ((MeetsAll) selector)
        .conditions().stream().map(this::condition).collect(Collectors.joining(" AND ", "(", ")"));
  }

  private String condition(Condition condition) {
    return filter.condition(template(condition), condition.value());
  }

  /** Returns the SQL template of a condition's attribute and operator. */
  private static String template(Condition condition) {
    return switch (condition.attribute()) {
      case ID ->
          switch (condition.operator()) {
            case STARTS_WITH -> "starts_with(token_id, %s)";
            case EQUALS -> "token_id = %s";
          };
      case CONTAINER ->
          switch (condition.operator()) {
            case STARTS_WITH -> SOME_CONTAINER_STARTS_WITH;
            case EQUALS -> "%s = ANY (containers)";
          };
    };
  }
}
