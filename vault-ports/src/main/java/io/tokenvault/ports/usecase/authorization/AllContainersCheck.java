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

/** Decides where a permission is needed on each container of a token, and not on some. */
public final class AllContainersCheck {

  /** What is needed on each container; all others on one. */
  private static final Set<Permission> NEEDED_ON_EACH =
      Set.of(Permission.TOKEN_CREATE, Permission.TOKEN_UPDATE);

  private AllContainersCheck() {}

  /** The weakest of the decisions about a token that is in one of the containers only. */
  public static Decision decide(Caller caller, Permission permission, TokenTraits token) {
    return inEach(token)
        .map(alone -> caller.authority().decide(permission, alone))
        .reduce(Decision::weaker)
        .orElseThrow();
  }

  /** The containers where the permission is missing, as text. */
  public static String missing(Caller caller, Permission permission, TokenTraits token) {
    return listed(
        inEach(token)
            .filter(alone -> !caller.authority().decide(permission, alone).isAllowed())
            .flatMap(alone -> alone.containers().stream())
            .toList());
  }

  /** Containers as text. */
  static String listed(Collection<Container> containers) {
    return containers.stream().map(Container::path).sorted().collect(Collectors.joining(", "));
  }

  /**
   * The token in the one of its containers that decides, where the permission is needed on each;
   * otherwise the token as it is.
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
