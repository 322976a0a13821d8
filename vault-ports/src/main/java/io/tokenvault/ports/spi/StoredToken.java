package io.tokenvault.ports.spi;

import io.tokenvault.domain.token.Token;
import java.util.Objects;
import java.util.Optional;

/**
 * A token with its sealed fields.
 *
 * @param shortLived the part of the data that goes before the token does, while it is there
 * @param expressions empty if the token has none of its own
 */
public record StoredToken(
    Token token, Sealed data, Optional<Sealed> shortLived, Optional<Sealed> expressions) {
  public StoredToken {
    Objects.requireNonNull(token, "token");
    Objects.requireNonNull(data, "data");
    Objects.requireNonNull(shortLived, "shortLived");
    Objects.requireNonNull(expressions, "expressions");
  }

  /** Of all that is sealed, in bytes, and the metadata, in characters. */
  public long size() {
    return data.size()
        + token.settings().metadata().entrySet().stream()
            .mapToLong(each -> each.getKey().length() + each.getValue().length())
            .sum()
        + (long) shortLived.map(Sealed::size).orElse(0)
        + expressions.map(Sealed::size).orElse(0);
  }
}
