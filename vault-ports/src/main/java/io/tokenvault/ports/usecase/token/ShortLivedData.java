package io.tokenvault.ports.usecase.token;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.token.TokenType;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Which part of a token's data goes before the token does: the card verification code, where it was
 * given a lifetime of its own.
 *
 * @param cvcLifetime empty to keep the code until its token goes
 */
public record ShortLivedData(Optional<Duration> cvcLifetime) {

  private static final String CVC = "cvc";

  /** Whether a change leaves the part as it is. */
  boolean isSame(TokenType type, JsonValue before, JsonValue after) {
    return part(type, before).equals(part(type, after));
  }

  /** The data that stays. */
  JsonValue lasting(TokenType type, JsonValue data) {
    if (part(type, data).isEmpty()) {
      return data;
    }
    Map<String, JsonValue> members = new LinkedHashMap<>(((JsonObject) data).members());
    members.remove(CVC);
    return new JsonObject(members);
  }

  /** The members that go. */
  Optional<JsonObject> part(TokenType type, JsonValue data) {
    return cvcLifetime
        .filter(unused -> type == TokenType.CARD)
        .flatMap(unused -> Optional.ofNullable(((JsonObject) data).members().get(CVC)))
        .map(cvc -> new JsonObject(Map.of(CVC, cvc)));
  }
}
