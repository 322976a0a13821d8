package io.tokenvault.ports.usecase.token;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.token.TokenExpressions;
import java.util.Objects;

/** The decrypted secret part of a token. */
record TokenContent(JsonValue data, TokenExpressions expressions) {
  TokenContent {
    Objects.requireNonNull(data, "data");
    Objects.requireNonNull(expressions, "expressions");
  }

  @Override
  public String toString() {
    return "TokenContent[redacted]";
  }
}
