package io.tokenvault.ports.usecase;

import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.access.Decision;
import io.tokenvault.domain.access.TokenTraits;
import io.tokenvault.domain.permission.Permission;
import java.util.Set;

/** Decides where a permission is needed on each container of a token, and not on some. */
final class EveryContainer {

  private EveryContainer() {}

  /** The weakest of the decisions about a token that is in one of the containers only. */
  static Decision decide(Caller caller, Permission permission, TokenTraits token) {
    return token.containers().stream()
        .map(container -> in(token.id(), container))
        .map(alone -> caller.authority().decide(permission, alone))
        .reduce(Decision::weaker)
        .orElseThrow();
  }

  private static TokenTraits in(String id, Container container) {
    return new TokenTraits(id, Set.of(container));
  }
}
