package io.tokenvault.ports.store.model;

import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.TokenHash;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The secret part of a token and the hashes by which the token is found.
 *
 * @param data the encrypted data
 * @param shortLived a part of the data that expires before the token does
 * @param expressions the encrypted expressions; empty if the token has none of its own
 * @param fingerprint the hash by which equal data is found
 * @param searchIndexes hashes of the search indexes, all under one key version
 */
public record EncryptedContent(
    EncryptedValue data,
    Optional<ShortLived> shortLived,
    Optional<EncryptedValue> expressions,
    TokenHash fingerprint,
    List<TokenHash> searchIndexes) {
  public EncryptedContent {
    searchIndexes = List.copyOf(searchIndexes);
  }

  /**
   * An encrypted value that expires, by the store's clock.
   *
   * @param lifetime measured from the time when it is stored
   */
  public record ShortLived(EncryptedValue encrypted, Duration lifetime) {}
}
