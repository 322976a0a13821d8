package io.tokenvault.adapters.http.request;

import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.request.JsonFields;
import io.tokenvault.domain.request.JsonFields.SizeLimit;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenLimits;
import io.tokenvault.domain.token.TokenQuery;
import io.tokenvault.domain.token.TokenType;
import io.tokenvault.ports.store.PageRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The filters and the page of a token list.
 *
 * @param query matches the tokens that meet all filters
 */
public record TokenListQuery(TokenQuery query, PageRequest page) {

  private static final String METADATA = "metadata";
  private static final SizeLimit METADATA_LIMIT = SizeLimit.entries(TokenLimits.MAX_METADATA);
  private static final String METADATA_KEY = METADATA + ".";
  private static final SizeLimit VALUES = SizeLimit.items(1000);

  /**
   * Reads the query of a URL: {@code id} and {@code type} may be repeated, {@code container} is a
   * prefix, and {@code metadata.KEY} compares metadata.
   */
  public static TokenListQuery read(QueryParameters query) {
    List<TokenQuery> all = new ArrayList<>();
    add(
        query.each("id", TokenId::parse, "must be the id of a token"),
        TokenQuery.IdIn::new,
        all::add);
    add(
        query.each("type", TokenType::of, "must be one of " + TokenType.choices()),
        TokenQuery.TypeIn::new,
        all::add);
    query
        .one("container", TokenListQuery::container, Container.SHAPE)
        .ifPresent(prefix -> all.add(new TokenQuery.ContainerStartsWith(prefix.path())));
    query
        .startingWith(METADATA_KEY)
        .forEach((key, value) -> all.add(new TokenQuery.MetadataIs(key, value)));
    return new TokenListQuery(new TokenQuery.AllOf(all), query.page());
  }

  /**
   * Reads the query in its JSON form, where numbers are numbers and metadata is an object.
   *
   * @param violations collects what is wrong; must be checked before the query is used
   */
  public static TokenListQuery read(JsonObject query, Violations violations) {
    JsonFields fields = JsonFields.of(query, violations);
    Map<String, List<String>> parameters = new LinkedHashMap<>();
    put(parameters, "id", fields.textOrTexts("id", VALUES));
    put(parameters, "type", fields.textOrTexts("type", VALUES));
    put(parameters, "container", one(fields.text("container")));
    metadata(fields, violations)
        .forEach((key, value) -> put(parameters, METADATA_KEY + key, one(value)));
    put(parameters, "page", one(fields.integer("page")));
    put(parameters, "size", one(fields.integer("size")));
    fields.refuseOthers();
    return read(QueryParameters.of(parameters, violations));
  }

  /**
   * Reads the metadata filter. A URL cannot express an empty key, so it is rejected here as well.
   */
  private static Map<String, String> metadata(JsonFields fields, Violations violations) {
    Map<String, String> metadata =
        Optional.ofNullable(fields.textMap(METADATA, METADATA_LIMIT)).orElse(Map.of());
    if (metadata.containsKey("")) {
      violations.add(METADATA, "must not have an empty key");
    }
    return metadata;
  }

  private static List<String> one(Object value) {
    return value == null ? List.of() : List.of(value.toString());
  }

  /** Adds a parameter without the values that have already been reported as violations. */
  private static void put(Map<String, List<String>> parameters, String name, List<String> values) {
    if (values != null) {
      parameters.put(name, values.stream().filter(Objects::nonNull).toList());
    }
  }

  private static <T> void add(
      Set<T> given, Function<Set<T>, TokenQuery> query, Consumer<TokenQuery> all) {
    if (!given.isEmpty()) {
      all.accept(query.apply(given));
    }
  }

  private static Optional<Container> container(String path) {
    return Container.isValid(path) ? Optional.of(new Container(path)) : Optional.empty();
  }
}
