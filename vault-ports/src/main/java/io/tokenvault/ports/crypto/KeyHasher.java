package io.tokenvault.ports.crypto;

import io.tokenvault.domain.secret.ApiKey;
import io.tokenvault.domain.secret.ProxyKey;
import java.util.List;

/**
 * Keyed hashes (HMAC-SHA-256) by which keys are found without being stored. API keys and proxy keys
 * hash differently even if their texts were the same. All threads may share one instance.
 */
public interface KeyHasher {

  /** Under every live hashing key, the current one first; never empty. */
  List<KeyHash> hashes(ApiKey key);

  /** Under every live hashing key, the current one first; never empty. */
  List<KeyHash> hashes(ProxyKey key);

  /** Under the current hashing key, for storing. */
  default KeyHash hash(ApiKey key) {
    return hashes(key).get(0);
  }

  /** Under the current hashing key, for storing. */
  default KeyHash hash(ProxyKey key) {
    return hashes(key).get(0);
  }
}
