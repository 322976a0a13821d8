package io.tokenvault.ports.store.model;

import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.TokenHash;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The secret part of a token, and what was made of it to find the token by.
 *
 * @param shortLived a part of the data that goes before the token does
 * @param expressions empty if the token has none of its own
 * @param searchIndexes all of the same key version
 */
public record EncryptedContent(
    EncryptedValue data,
    Optional<ShortLived> shortLived,
    Optional<EncryptedValue> expressions,
    TokenHash fingerprint,
    List<TokenHash> searchIndexes) {
  public EncryptedContent {
    Objects.requireNonNull(data, "data");
    Objects.requireNonNull(shortLived, "shortLived");
    Objects.requireNonNull(expressions, "expressions");
    Objects.requireNonNull(fingerprint, "fingerprint");
    searchIndexes = List.copyOf(searchIndexes);
  }

  /**
   * Something that is gone once its time has passed, by the store's clock.
   *
   * @param lifetime from the moment at which it is stored
   */
  public record ShortLived(EncryptedValue sealed, Duration lifetime) {
    public ShortLived {
      Objects.requireNonNull(sealed, "sealed");
      Objects.requireNonNull(lifetime, "lifetime");
    }
  }
}
