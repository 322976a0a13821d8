package io.tokenvault.domain.token;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.JsonValue.JsonString;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The custom expressions of a token, which determine how its data is masked, found and compared.
 * They can contain parts of data or keys, so they are as secret as data.
 *
 * @param mask any JSON with expressions in its strings; empty for the type's default
 * @param searchIndexes expressions whose values the token is found by
 * @param fingerprint the expression that identifies equal content; empty for the type's default
 */
public record TokenExpressions(
    Optional<JsonValue> mask, List<String> searchIndexes, Optional<String> fingerprint) {

  private static final String MASK = "mask";
  private static final String SEARCH_INDEXES = "search_indexes";
  private static final String FINGERPRINT = "fingerprint_expression";

  public TokenExpressions {
    Objects.requireNonNull(mask, "mask");
    searchIndexes = List.copyOf(searchIndexes);
    Objects.requireNonNull(fingerprint, "fingerprint");
  }

  /** Returns the defaults of the type for everything. */
  public static TokenExpressions none() {
    return new TokenExpressions(Optional.empty(), List.of(), Optional.empty());
  }

  public boolean isEmpty() {
    return mask.isEmpty() && searchIndexes.isEmpty() && fingerprint.isEmpty();
  }

  /** Returns the JSON form for storage; {@link #of} parses it. */
  public JsonValue toJson() {
    Map<String, JsonValue> properties = new LinkedHashMap<>();
    mask.ifPresent(value -> properties.put(MASK, value));
    List<JsonValue> indexes = searchIndexes.stream().map(JsonValue::of).toList();
    properties.put(SEARCH_INDEXES, new JsonArray(indexes));
    fingerprint.ifPresent(value -> properties.put(FINGERPRINT, JsonValue.of(value)));
    return new JsonObject(properties);
  }

  /** Parses the JSON form that {@link #toJson} returned. */
  public static TokenExpressions of(JsonValue stored) {
    Map<String, JsonValue> properties = ((JsonObject) stored).properties();
    JsonArray indexes = (JsonArray) properties.get(SEARCH_INDEXES);
    return new TokenExpressions(
        Optional.ofNullable(properties.get(MASK)),
        indexes.items().stream().map(TokenExpressions::text).toList(),
        Optional.ofNullable(properties.get(FINGERPRINT)).map(TokenExpressions::text));
  }

  private static String text(JsonValue value) {
    return ((JsonString) value).value();
  }

  @Override
  public String toString() {
    return "TokenExpressions[redacted]";
  }
}
