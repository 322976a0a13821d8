package io.tokenvault.domain.access;

import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The attributes of a token that an access decision depends on.
 *
 * @param id empty for no particular token, which no condition on ids matches
 * @param containers the containers of the token
 */
public record TokenTraits(String id, Set<Container> containers) {
  public TokenTraits {
    Objects.requireNonNull(id, "id");
    containers = Set.copyOf(containers);
  }

  /**
   * Returns the traits of a token.
   *
   * @param containers paths such as {@code /pci/high/}
   */
  public static TokenTraits of(String id, String... containers) {
    return new TokenTraits(
        id, Arrays.stream(containers).map(Container::new).collect(Collectors.toUnmodifiableSet()));
  }

  /** Returns the traits of no particular token in a container. */
  public static TokenTraits anyIn(Container container) {
    return new TokenTraits("", Set.of(container));
  }

  /** Returns these traits with only one of the containers. */
  public TokenTraits onlyIn(Container container) {
    return new TokenTraits(id, Set.of(container));
  }

  boolean isOfAToken() {
    return !id.isEmpty();
  }
}
