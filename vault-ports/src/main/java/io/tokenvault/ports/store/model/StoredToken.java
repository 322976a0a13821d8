package io.tokenvault.ports.store.model;

import io.tokenvault.domain.token.Token;
import io.tokenvault.ports.crypto.EncryptedValue;
import java.util.Objects;
import java.util.Optional;

/**
 * A token with its sealed fields.
 *
 * @param shortLived the part of the data that goes before the token does, while it is there
 * @param expressions empty if the token has none of its own
 */
public record StoredToken(
    Token token,
    EncryptedValue data,
    Optional<EncryptedValue> shortLived,
    Optional<EncryptedValue> expressions) {
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
        + (long) shortLived.map(EncryptedValue::size).orElse(0)
        + expressions.map(EncryptedValue::size).orElse(0);
  }
}
