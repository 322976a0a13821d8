package io.tokenvault.ports.crypto;

import io.tokenvault.domain.secret.ApiKey;
import io.tokenvault.domain.secret.ProxyKey;
import java.util.List;

/**
 * Computes the keyed hashes (HMAC-SHA-256) by which API keys and proxy keys are found without being
 * stored. An API key and a proxy key never share a hash, even if their strings are equal.
 * Implementations are thread-safe.
 */
public interface KeyHasher {

  /** Returns the hashes under every live hashing key, the current one first; never empty. */
  List<KeyHash> hashes(ApiKey key);

  /** Returns the hashes under every live hashing key, the current one first; never empty. */
  List<KeyHash> hashes(ProxyKey key);

  /** Returns the hash under the current hashing key, for storing. */
  default KeyHash hash(ApiKey key) {
    return hashes(key).get(0);
  }

  /** Returns the hash under the current hashing key, for storing. */
  default KeyHash hash(ProxyKey key) {
    return hashes(key).get(0);
  }
}
