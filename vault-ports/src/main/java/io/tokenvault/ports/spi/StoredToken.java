package io.tokenvault.ports.spi;

import io.tokenvault.domain.token.Token;
import java.util.Objects;

/** A token with its sealed data. */
public record StoredToken(Token token, Sealed data) {
  public StoredToken {
    Objects.requireNonNull(token, "token");
    Objects.requireNonNull(data, "data");
  }
}
