package io.tokenvault.adapters.jdbi.token;

import io.tokenvault.adapters.jdbi.sql.FilteredQuery;
import io.tokenvault.adapters.jdbi.sql.SqlValues;
import io.tokenvault.domain.access.Condition;
import io.tokenvault.domain.access.TokenScope;
import io.tokenvault.domain.access.TokenScope.Clause;
import io.tokenvault.domain.access.TokenSelector;
import io.tokenvault.domain.access.TokenSelector.MeetsAll;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenQuery;
import io.tokenvault.domain.token.TokenQuery.AllOf;
import io.tokenvault.domain.token.TokenQuery.AnyOf;
import io.tokenvault.domain.token.TokenQuery.ContainerStartsWith;
import io.tokenvault.domain.token.TokenQuery.CreatedBefore;
import io.tokenvault.domain.token.TokenQuery.CreatedBy;
import io.tokenvault.domain.token.TokenQuery.CreatedFrom;
import io.tokenvault.domain.token.TokenQuery.FingerprintIs;
import io.tokenvault.domain.token.TokenQuery.IdIn;
import io.tokenvault.domain.token.TokenQuery.InContainer;
import io.tokenvault.domain.token.TokenQuery.IndexIn;
import io.tokenvault.domain.token.TokenQuery.MetadataIs;
import io.tokenvault.domain.token.TokenQuery.Not;
import io.tokenvault.domain.token.TokenQuery.TypeIn;
import io.tokenvault.domain.token.TokenType;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Translates token queries and token scopes to conditions on the token table; agrees with {@link
 * TokenQuery#matches} and {@link TokenScope#contains}. No part of a query's condition is ever NULL,
 * so that its negation selects exactly the other tokens.
 */
final class TokenQuerySql {

  private static final String EVERYTHING = "TRUE";

  /** Template that tests whether the path of one of the token's containers has a prefix. */
  private static final String SOME_CONTAINER_STARTS_WITH =
      "EXISTS (SELECT 1 FROM unnest(containers) AS path WHERE starts_with(path, %s))";

  private final FilteredQuery filter;

  private TokenQuerySql(FilteredQuery filter) {
    this.filter = filter;
  }

  static FilteredQuery restrict(FilteredQuery filter, TokenQuery query) {
    return filter.and(new TokenQuerySql(filter).condition(query));
  }

  /** Restricts a filter to the tokens in scope. */
  static FilteredQuery restrict(FilteredQuery filter, TokenScope scope) {
    TokenQuerySql sql = new TokenQuerySql(filter);
    scope.clauses().forEach(clause -> filter.and(sql.anyOf(clause)));
    return filter;
  }

  /** Translates a logical operator, or a test of a token. */
  private String condition(TokenQuery query) {
    if (query instanceof AllOf all) {
      return joined(all.queries(), " AND ", EVERYTHING);
    }
    if (query instanceof AnyOf any) {
      return joined(any.queries(), " OR ", FilteredQuery.NOTHING);
    }
    if (query instanceof Not not) {
      return "(NOT " + condition(not.query()) + ")";
    }
    if (query instanceof IdIn in) {
      return filter.anyOf("(token_id = ANY (%s))", in.ids(), TokenId::value);
    }
    if (query instanceof TypeIn in) {
      return filter.anyOf("(type = ANY (%s))", in.types(), TokenType::value);
    }
    if (query instanceof InContainer in) {
      return filter.condition("(%s = ANY (containers))", in.container().path());
    }
    if (query instanceof ContainerStartsWith starts) {
      return filter.condition(SOME_CONTAINER_STARTS_WITH, starts.prefix());
    }
    if (query instanceof CreatedBy by) {
      return filter.condition("(created_by IS NOT NULL AND created_by = %s)", by.applicationId());
    }
    if (query instanceof CreatedFrom from) {
      return filter.condition("(created_at >= %s)", SqlValues.timeAtOrAfter(from.time()));
    }
    if (query instanceof CreatedBefore before) {
      return filter.condition("(created_at < %s)", SqlValues.timeAtOrAfter(before.time()));
    }
    if (query instanceof MetadataIs is) {
      return filter.condition(
          "(metadata @> jsonb_build_object(%s::text, %s::text))", is.key(), is.value());
    }
    if (query instanceof IndexIn in) {
      return filter.anyOf("(search_indexes && %s::text[])", in.hashes(), Function.identity());
    }
    return filter.condition(
        "(fingerprint IS NOT NULL AND fingerprint = %s)", ((FingerprintIs) query).fingerprint());
  }

  /** Joins conditions; without any, returns the condition for an empty list. */
  private String joined(List<TokenQuery> queries, String conjunction, String ifNone) {
    return queries.isEmpty()
        ? ifNone
        : queries.stream().map(this::condition).collect(Collectors.joining(conjunction, "(", ")"));
  }

  /** Translates a clause, which permits nothing if it has no selectors. */
  private String anyOf(Clause clause) {
    return clause.anyOf().isEmpty()
        ? FilteredQuery.NOTHING
        : clause.anyOf().stream().map(this::selector).collect(Collectors.joining(" OR ", "(", ")"));
  }

  /** Translates a selector: a container with all below it, or conditions that must all hold. */
  private String selector(TokenSelector selector) {
    if (selector instanceof TokenSelector.InContainer in) {
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
