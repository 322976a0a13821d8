package io.tokenvault.ports.crypto;

import io.tokenvault.domain.token.TokenType;
import java.util.List;

/**
 * Keyed hashes by which tokens, and requests, are compared and found without their data being
 * known. Equal texts hash equal within one tenant, type (for fingerprints), purpose and key version
 * only. All threads may share one instance.
 */
public interface TokenHasher {

  /** Under every version of the tenant's fingerprint key, the current one first; never empty. */
  List<TokenHash> fingerprints(TenantKeys keys, TokenType type, String content);

  /** Under every version of the tenant's index key, the current one first; never empty. */
  List<TokenHash> searchIndexes(TenantKeys keys, String content);

  /**
   * Of something of a request, under every version of the tenant's fingerprint key, the current one
   * first; never empty. Never equal to a fingerprint.
   */
  List<TokenHash> requests(TenantKeys keys, String content);

  /** Under the current key, for storing. */
  default TokenHash fingerprint(TenantKeys keys, TokenType type, String content) {
    return fingerprints(keys, type, content).get(0);
  }

  /** Under the current key, for storing. */
  default TokenHash searchIndex(TenantKeys keys, String content) {
    return searchIndexes(keys, content).get(0);
  }
}
