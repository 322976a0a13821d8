package io.tokenvault.ports.usecase.authorization;

import io.tokenvault.domain.access.Authority;
import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.access.Decision;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.access.TokenTraits;
import java.util.Collection;
import java.util.Comparator;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Decides on permissions that are required in every container of a token, rather than in one. */
public final class AllContainersCheck {

  /** The permissions required in every container; all others are required in one. */
  private static final Set<Permission> NEEDED_ON_EACH =
      Set.of(Permission.TOKEN_CREATE, Permission.TOKEN_UPDATE);

  private AllContainersCheck() {}

  /** Returns the weakest of the decisions on the token in each of its containers alone. */
  public static Decision decide(Caller caller, Permission permission, TokenTraits token) {
    return inEach(token)
        .map(alone -> caller.authority().decide(permission, alone))
        .reduce(Decision::weaker)
        .orElseThrow();
  }

  /** Returns the containers in which the permission is missing, joined by commas. */
  public static String missing(Caller caller, Permission permission, TokenTraits token) {
    return listed(
        inEach(token)
            .filter(alone -> !caller.authority().decide(permission, alone).isAllowed())
            .flatMap(alone -> alone.containers().stream())
            .toList());
  }

  /** Returns the sorted paths of containers, joined by commas. */
  static String listed(Collection<Container> containers) {
    return containers.stream().map(Container::path).sorted().collect(Collectors.joining(", "));
  }

  /**
   * Returns the token in the single container that decides, if the permission is required in every
   * container; otherwise the token unchanged.
   */
  static TokenTraits deciding(Authority authority, Permission permission, TokenTraits token) {
    return NEEDED_ON_EACH.contains(permission)
        ? inEach(token)
            .reduce((one, other) -> weaker(authority, permission, one, other))
            .orElseThrow()
        : token;
  }

  private static TokenTraits weaker(
      Authority authority, Permission permission, TokenTraits one, TokenTraits other) {
    Decision first = authority.decide(permission, one);
    return Decision.weaker(first, authority.decide(permission, other)).equals(first) ? one : other;
  }

  private static Stream<TokenTraits> inEach(TokenTraits token) {
    return token.containers().stream()
        .sorted(Comparator.comparing(Container::path))
        .map(token::onlyIn);
  }
}
