package io.tokenvault.adapters.http.request;

import io.tokenvault.adapters.http.search.SearchQuery;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.request.JsonFields;
import io.tokenvault.domain.token.TokenQuery;
import io.tokenvault.ports.store.PageRequest;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.util.Optional;
import java.util.function.Function;

/**
 * The body that searches tokens.
 *
 * @param query a query in a subset of Lucene's language, 1 to 2000 characters
 * @param page the page number from 1; null for the first page
 * @param size 1 to 100 items per page; null for 20
 */
public record TokenSearchRequest(
    @NotNull(message = RequestValidator.REQUIRED)
        @Size(
            min = 1,
            max = TokenSearchRequest.MAX_LENGTH,
            message = "must be {min} to {max} characters long")
        String query,
    @Min(value = 1, message = QueryParameters.PAGE_SHAPE) Integer page,
    @Min(value = 1, message = QueryParameters.SIZE_SHAPE)
        @Max(value = QueryParameters.MAX_SIZE, message = QueryParameters.SIZE_SHAPE)
        Integer size) {

  static final int MAX_LENGTH = 2000;

  /** Reads the body; fields of other types, out of bounds or unknown become violations. */
  public static TokenSearchRequest read(JsonFields fields, Violations violations) {
    TokenSearchRequest request =
        new TokenSearchRequest(
            fields.text("query"), fields.integer("page"), fields.integer("size"));
    fields.refuseOthers();
    RequestValidator.check(request, violations);
    return request;
  }

  /**
   * Parses the query.
   *
   * @param indexedAs returns the query that finds tokens by the value of a search index
   * @param violations the violations found so far; those of the query are added
   * @throws io.tokenvault.domain.failure.ValidationException if there are any violations
   */
  public TokenQuery toQuery(Function<String, TokenQuery> indexedAs, Violations violations) {
    TokenQuery read =
        query == null || query.isEmpty() || query.length() > MAX_LENGTH
            ? TokenQuery.everything()
            : SearchQuery.read(query, indexedAs, violations);
    violations.throwIfAny();
    return read;
  }

  /** Returns the requested page. Only valid for a request without violations. */
  public PageRequest toPage() {
    return new PageRequest(
        Optional.ofNullable(page).orElse(1),
        Optional.ofNullable(size).orElse(QueryParameters.DEFAULT_SIZE));
  }

  /** Returns no values, since a search for data is as sensitive as the data. */
  @Override
  public String toString() {
    return "TokenSearchRequest[redacted]";
  }
}
