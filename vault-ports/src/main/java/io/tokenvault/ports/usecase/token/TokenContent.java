package io.tokenvault.ports.usecase.token;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.token.TokenExpressions;

/** The decrypted secret part of a token. */
record TokenContent(JsonValue data, TokenExpressions expressions) {
  @Override
  public String toString() {
    return "TokenContent[redacted]";
  }
}
