package io.tokenvault.domain.access;

import java.util.Optional;

/**
 * What a caller may do now: its own policy and, if it was made by a private application, at most
 * what that application may do at this moment (decided per token, deny &lt; redact &lt; mask &lt;
 * reveal).
 *
 * @param bound the present policy of the application that made this one; {@link
 *     AccessPolicy#none()} if that is gone; empty if nothing bounds
 * @param ceiling the most that any answer shows; empty if that is not bounded
 */
public record Authority(
    AccessPolicy own, Optional<AccessPolicy> bound, Optional<AccessTransform> ceiling) {

  public Authority(AccessPolicy own, Optional<AccessPolicy> bound) {
    this(own, bound, Optional.empty());
  }

  public static Authority of(AccessPolicy own) {
    return new Authority(own, Optional.empty());
  }

  /** The same, but that no answer shows more than this. */
  public Authority atMost(AccessTransform most) {
    return new Authority(own, bound, Optional.of(ceiling.map(most::weaker).orElse(most)));
  }

  public boolean grants(Permission permission) {
    return own.grants(permission) && bound.map(policy -> policy.grants(permission)).orElse(true);
  }

  /**
   * Decides, and names in its explanation which of the three decided: the own policy, the policy
   * that bounds it, or the ceiling.
   */
  public Decision decide(Permission permission, TokenTraits token) {
    Decision decision = own.decide(permission, token);
    Decision bounded =
        bound
            .map(policy -> Decision.weaker(decision, policy.decide(permission, token).ofCreator()))
            .orElse(decision);
    return ceiling.map(bounded::atMost).orElse(bounded);
  }

  public TokenScope scope(Permission permission) {
    TokenScope scope = own.scope(permission);
    return bound.map(policy -> scope.and(policy.scope(permission))).orElse(scope);
  }
}
