package io.tokenvault.ports.usecase;

import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.domain.token.Token;
import java.util.Objects;
import java.util.Optional;

/**
 * A token as one caller may see it.
 *
 * @param data JSON in UTF-8; empty where the caller may not see it
 */
public record TokenView(Token token, Optional<SensitiveValue> data) {
  public TokenView {
    Objects.requireNonNull(token, "token");
    Objects.requireNonNull(data, "data");
  }
}
