package io.tokenvault.ports.spi;

import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenType;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Which tokens to list; what is empty does not restrict.
 *
 * @param container tokens in it or under it
 * @param metadata entries that a token has exactly so
 */
public record TokenFilter(
    Set<TokenId> ids,
    Set<TokenType> types,
    Optional<Container> container,
    Map<String, String> metadata) {
  public TokenFilter {
    ids = Set.copyOf(ids);
    types = Set.copyOf(types);
    Objects.requireNonNull(container, "container");
    metadata = Map.copyOf(metadata);
  }
}
