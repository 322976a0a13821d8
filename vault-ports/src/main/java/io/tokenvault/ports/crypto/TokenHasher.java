package io.tokenvault.ports.crypto;

import io.tokenvault.domain.token.TokenType;
import java.util.List;

/**
 * Computes the keyed hashes by which tokens and requests are compared and found without their data.
 * Equal strings have equal hashes only within one tenant, type (for fingerprints), purpose and key
 * version. Implementations are thread-safe.
 */
public interface TokenHasher {

  /**
   * Returns the hashes under every version of the tenant's fingerprint key, the current one first;
   * never empty.
   */
  List<TokenHash> fingerprints(TenantKeys keys, TokenType type, String content);

  /**
   * Returns the hashes under every version of the tenant's index key, the current one first; never
   * empty.
   */
  List<TokenHash> searchIndexes(TenantKeys keys, String content);

  /**
   * Returns the hashes of a part of a request under every version of the tenant's fingerprint key,
   * the current one first; never empty. They never equal a fingerprint.
   */
  List<TokenHash> requests(TenantKeys keys, String content);

  /** Returns the fingerprint under the current key, for storing. */
  default TokenHash fingerprint(TenantKeys keys, TokenType type, String content) {
    return fingerprints(keys, type, content).get(0);
  }

  /** Returns the search index under the current key, for storing. */
  default TokenHash searchIndex(TenantKeys keys, String content) {
    return searchIndexes(keys, content).get(0);
  }
}
