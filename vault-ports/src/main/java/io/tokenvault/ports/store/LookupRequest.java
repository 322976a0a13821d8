package io.tokenvault.ports.store;

import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.store.model.ActingApplication;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * What one request needs from the store.
 *
 * @param apiKey hashes of the caller's key, under every live hashing key; empty: no caller with a
 *     key
 * @param acting the caller, where it has no key; never together with a key
 * @param proxyKey hashes of the proxy's key; empty: no proxy
 * @param tokens ids of the caller's tenant
 */
public record LookupRequest(
    List<KeyHash> apiKey,
    Optional<ActingApplication> acting,
    List<KeyHash> proxyKey,
    Set<TokenId> tokens) {

  public LookupRequest {
    apiKey = List.copyOf(apiKey);
    Objects.requireNonNull(acting, "acting");
    proxyKey = List.copyOf(proxyKey);
    tokens = Set.copyOf(tokens);
    if (acting.isPresent() && !apiKey.isEmpty()) {
      throw new IllegalArgumentException("there is one caller, with a key or without");
    }
  }

  public LookupRequest(List<KeyHash> apiKey, List<KeyHash> proxyKey, Set<TokenId> tokens) {
    this(apiKey, Optional.empty(), proxyKey, tokens);
  }

  /** The caller alone. */
  public static LookupRequest caller(List<KeyHash> apiKey) {
    return new LookupRequest(apiKey, List.of(), Set.of());
  }

  /** The caller and tokens of its tenant. */
  public static LookupRequest tokens(List<KeyHash> apiKey, Set<TokenId> tokens) {
    return new LookupRequest(apiKey, List.of(), tokens);
  }

  /** A caller without a key, and tokens of its tenant. */
  public static LookupRequest acting(ActingApplication application, Set<TokenId> tokens) {
    return new LookupRequest(List.of(), Optional.of(application), List.of(), tokens);
  }
}
