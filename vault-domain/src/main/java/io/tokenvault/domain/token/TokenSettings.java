package io.tokenvault.domain.token;

import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.access.TokenTraits;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The properties of a token that are stored in the clear.
 *
 * @param containers at least one; duplicates are removed
 * @param metadata not secret
 * @param expiresAt the time from which the token is not found; empty for never
 */
public record TokenSettings(
    List<Container> containers, Map<String, String> metadata, Optional<Instant> expiresAt) {
  public TokenSettings {
    containers = containers.stream().distinct().toList();
    metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
    Objects.requireNonNull(expiresAt, "expiresAt");
    if (containers.isEmpty()) {
      throw new IllegalArgumentException("a token is in at least one container");
    }
  }

  /** Returns the attributes of a token with this id that access decisions depend on. */
  public TokenTraits traits(TokenId id) {
    return new TokenTraits(
        id.value(), containers.size() == 1 ? Set.of(containers.get(0)) : Set.copyOf(containers));
  }
}
