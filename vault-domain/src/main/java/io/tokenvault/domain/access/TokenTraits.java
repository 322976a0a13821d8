package io.tokenvault.domain.access;

import java.util.Set;

/** What an access decision may know of a token. */
public record TokenTraits(String id, Set<Container> containers) {
  public TokenTraits {
    containers = Set.copyOf(containers);
  }
}
