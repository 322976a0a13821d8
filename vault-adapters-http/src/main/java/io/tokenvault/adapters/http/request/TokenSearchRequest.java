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

/** The body that searches tokens. */
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

  public static TokenSearchRequest read(JsonFields fields) {
    TokenSearchRequest request =
        new TokenSearchRequest(
            fields.text("query"), fields.integer("page"), fields.integer("size"));
    fields.refuseOthers();
    return request;
  }

  /**
   * What to find.
   *
   * @param indexedAs what finds tokens by their data
   * @throws io.tokenvault.domain.failure.ValidationException if anything was wrong
   */
  public TokenQuery toQuery(Function<String, TokenQuery> indexedAs, Violations shape) {
    TokenQuery read =
        query == null || query.isEmpty() || query.length() > MAX_LENGTH
            ? TokenQuery.everything()
            : SearchQuery.read(query, indexedAs, shape);
    shape.throwIfAny();
    return read;
  }

  /** Only for a request in which nothing was wrong. */
  public PageRequest toPage() {
    return new PageRequest(
        Optional.ofNullable(page).orElse(1),
        Optional.ofNullable(size).orElse(QueryParameters.DEFAULT_SIZE));
  }

  /** Nothing: what is looked for in data is as secret as data. */
  @Override
  public String toString() {
    return "SearchRequest[redacted]";
  }
}
