package io.tokenvault.ports.usecase.token;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.token.TokenType;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Determines the part of a token's data that expires before the token does: the card verification
 * code, if the operator configured a lifetime for it.
 *
 * @param cvcLifetime empty to retain the code as long as its token
 */
public record ShortLivedData(Optional<Duration> cvcLifetime) {

  private static final String CVC = "cvc";

  /** Returns whether a change leaves the short-lived part unchanged. */
  boolean isSame(TokenType type, JsonValue before, JsonValue after) {
    return part(type, before).equals(part(type, after));
  }

  /** Returns the data without its short-lived part. */
  JsonValue lasting(TokenType type, JsonValue data) {
    if (part(type, data).isEmpty()) {
      return data;
    }
    Map<String, JsonValue> properties = new LinkedHashMap<>(((JsonObject) data).properties());
    properties.remove(CVC);
    return new JsonObject(properties);
  }

  /** Returns the short-lived properties of data; empty if there are none. */
  Optional<JsonObject> part(TokenType type, JsonValue data) {
    return cvcLifetime
        .filter(unused -> type == TokenType.CARD)
        .flatMap(unused -> Optional.ofNullable(((JsonObject) data).properties().get(CVC)))
        .map(cvc -> new JsonObject(Map.of(CVC, cvc)));
  }
}
