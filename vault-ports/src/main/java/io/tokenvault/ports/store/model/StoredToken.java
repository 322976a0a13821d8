package io.tokenvault.ports.store.model;

import io.tokenvault.domain.token.Token;
import io.tokenvault.ports.crypto.EncryptedValue;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A token with its encrypted fields.
 *
 * @param data the encrypted data
 * @param shortLived the part of the data that expires before the token does, until then
 * @param expressions the encrypted expressions; empty if the token has none of its own
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

  /** Returns the size of all encrypted values in bytes plus that of the metadata in characters. */
  public long size() {
    long size = data.size();
    for (Map.Entry<String, String> each : token.settings().metadata().entrySet()) {
      size += each.getKey().length() + each.getValue().length();
    }
    return size
        + shortLived.map(EncryptedValue::size).orElse(0)
        + expressions.map(EncryptedValue::size).orElse(0);
  }
}
