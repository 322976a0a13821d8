package io.tokenvault.domain.access;

import java.util.Set;

/**
 * What an access decision may know of a token.
 *
 * @param id empty for no particular token; no condition on ids holds then
 */
public record TokenTraits(String id, Set<Container> containers) {
  public TokenTraits {
    containers = Set.copyOf(containers);
  }

  /** No particular token of a container. */
  public static TokenTraits anyIn(Container container) {
    return new TokenTraits("", Set.of(container));
  }

  /** The same, in this of its containers only. */
  public TokenTraits onlyIn(Container container) {
    return new TokenTraits(id, Set.of(container));
  }

  boolean isOfAToken() {
    return !id.isEmpty();
  }
}
