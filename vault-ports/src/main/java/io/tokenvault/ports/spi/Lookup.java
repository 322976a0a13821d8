package io.tokenvault.ports.spi;

import io.tokenvault.domain.token.TokenId;
import java.util.List;
import java.util.Set;

/**
 * What one request needs from the store.
 *
 * @param apiKey hashes of the caller's key, under every live hashing key; empty: no caller
 * @param proxyKey hashes of the proxy's key; empty: no proxy
 * @param tokens ids of the caller's tenant
 */
public record Lookup(List<KeyHash> apiKey, List<KeyHash> proxyKey, Set<TokenId> tokens) {
  public Lookup {
    apiKey = List.copyOf(apiKey);
    proxyKey = List.copyOf(proxyKey);
    tokens = Set.copyOf(tokens);
  }

  /** The caller alone. */
  public static Lookup caller(List<KeyHash> apiKey) {
    return new Lookup(apiKey, List.of(), Set.of());
  }

  /** The caller and tokens of its tenant. */
  public static Lookup tokens(List<KeyHash> apiKey, Set<TokenId> tokens) {
    return new Lookup(apiKey, List.of(), tokens);
  }
}
