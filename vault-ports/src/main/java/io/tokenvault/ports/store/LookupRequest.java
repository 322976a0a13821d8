package io.tokenvault.ports.store;

import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.store.model.ActingApplication;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The records that one request needs from the store.
 *
 * @param apiKey hashes of the caller's key under every live hashing key; empty for a caller without
 *     a key
 * @param acting the caller, if it has no key; never together with a key
 * @param proxyKey hashes of the proxy's key; empty for no proxy
 * @param tokens ids of tokens of the caller's tenant
 */
public record LookupRequest(
    List<KeyHash> apiKey,
    Optional<ActingApplication> acting,
    List<KeyHash> proxyKey,
    Set<TokenId> tokens) {

  public LookupRequest {
    apiKey = List.copyOf(apiKey);
    proxyKey = List.copyOf(proxyKey);
    tokens = Set.copyOf(tokens);
    if (acting.isPresent() && !apiKey.isEmpty()) {
      throw new IllegalArgumentException("there is one caller, with a key or without");
    }
  }

  public LookupRequest(List<KeyHash> apiKey, List<KeyHash> proxyKey, Set<TokenId> tokens) {
    this(apiKey, Optional.empty(), proxyKey, tokens);
  }

  /** Returns a look-up of the caller only. */
  public static LookupRequest caller(List<KeyHash> apiKey) {
    return new LookupRequest(apiKey, List.of(), Set.of());
  }

  /** Returns a look-up of the caller and of tokens of its tenant. */
  public static LookupRequest tokens(List<KeyHash> apiKey, Set<TokenId> tokens) {
    return new LookupRequest(apiKey, List.of(), tokens);
  }

  /** Returns a look-up of a caller without a key and of tokens of its tenant. */
  public static LookupRequest acting(ActingApplication application, Set<TokenId> tokens) {
    return new LookupRequest(List.of(), Optional.of(application), List.of(), tokens);
  }
}
