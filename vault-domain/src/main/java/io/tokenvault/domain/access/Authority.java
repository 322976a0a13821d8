package io.tokenvault.domain.access;

import java.util.Optional;

/**
 * The current permissions of a caller: its own policy and, if a private application created it, at
 * most the current permissions of that application. Decisions are compared per token (deny &lt;
 * redact &lt; mask &lt; reveal).
 *
 * @param own the caller's own policy
 * @param bound the current policy of the application that created this one; {@link
 *     AccessPolicy#none()} if that no longer exists; empty for no bound
 * @param ceiling the strongest transform of any response; empty for no limit
 */
public record Authority(
    AccessPolicy own, Optional<AccessPolicy> bound, Optional<AccessTransform> ceiling) {

  public Authority(AccessPolicy own, Optional<AccessPolicy> bound) {
    this(own, bound, Optional.empty());
  }

  /** Returns the permissions of an application without a bound. */
  public static Authority of(AccessPolicy own) {
    return new Authority(own, Optional.empty());
  }

  /** Returns these permissions with a ceiling; the weaker of two ceilings applies. */
  public Authority atMost(AccessTransform most) {
    return new Authority(own, bound, Optional.of(ceiling.map(most::weaker).orElse(most)));
  }

  /** Returns whether the permission is granted on anything at all. */
  public boolean grants(Permission permission) {
    return own.grants(permission) && bound.map(policy -> policy.grants(permission)).orElse(true);
  }

  /**
   * Decides whether a permission may be exercised on a token. The reasons name which of the three
   * decided: the own policy, the policy that bounds it, or the ceiling.
   */
  public Decision decide(Permission permission, TokenTraits token) {
    Decision decision = own.decide(permission, token);
    Decision bounded =
        bound
            .map(policy -> Decision.weaker(decision, policy.decide(permission, token).ofCreator()))
            .orElse(decision);
    return ceiling.map(bounded::atMost).orElse(bounded);
  }

  /**
   * Returns the set of tokens on which the permission is granted, in a form that a store can query
   * by.
   */
  public TokenScope scope(Permission permission) {
    TokenScope scope = own.scope(permission);
    return bound.map(policy -> scope.and(policy.scope(permission))).orElse(scope);
  }
}
