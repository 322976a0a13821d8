package io.tokenvault.domain.access;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The current permissions of a caller: its policy, limited by the policy of the application that
 * created it and by a ceiling. For each token, the weakest of them decides (deny &lt; redact &lt;
 * mask &lt; reveal).
 *
 * <p>For example: {@code Authority.of(policy).limitedBy(creator).atMost(MASK).decide(TOKEN_READ,
 * token)}.
 *
 * @param own the caller's own policy
 * @param creators the current policies that limit it; {@link AccessPolicy#none()} for that of a
 *     creator that no longer exists
 * @param ceiling the strongest transform of any response; empty for no limit
 */
public record Authority(
    AccessPolicy own, List<AccessPolicy> creators, Optional<AccessTransform> ceiling) {

  public Authority {
    creators = List.copyOf(creators);
  }

  /** Returns the permissions of an application without limits. */
  public static Authority of(AccessPolicy own) {
    return new Authority(own, List.of(), Optional.empty());
  }

  /** Returns these permissions, limited by the current policy of the caller's creator. */
  public Authority limitedBy(AccessPolicy creator) {
    return new Authority(
        own, Stream.concat(creators.stream(), Stream.of(creator)).toList(), ceiling);
  }

  /** Returns these permissions with a ceiling; the weaker of two ceilings applies. */
  public Authority atMost(AccessTransform most) {
    return new Authority(own, creators, Optional.of(ceiling.map(most::weaker).orElse(most)));
  }

  /** Returns whether the permission is granted on anything at all. */
  public boolean grants(Permission permission) {
    return own.grants(permission) && creators.stream().allMatch(each -> each.grants(permission));
  }

  /**
   * Decides whether a permission may be exercised on a token. {@code token:create} and {@code
   * token:update} are needed in each of its containers; the weakest decision applies. Any other
   * permission is needed in one.
   *
   * <p>The decision names the part that decided. Of equal parts, it is the caller's own policy
   * before its creator's, and both before the ceiling.
   */
  public Decision decide(Permission permission, TokenTraits token) {
    return decideOnce(permission, decidingContainer(permission, token));
  }

  /**
   * Returns the form in which a permission shows a token's data, as {@link #decide} does; empty if
   * the permission is denied.
   */
  public Optional<AccessTransform> transform(Permission permission, TokenTraits token) {
    return decide(permission, token) instanceof Decision.Allow allow
        ? Optional.of(allow.transform())
        : Optional.empty();
  }

  private Decision decideOnce(Permission permission, TokenTraits token) {
    Decision weakest = own.decide(permission, token);
    for (AccessPolicy creator : creators) {
      weakest = Decision.weaker(weakest, creator.decide(permission, token).ofCreator());
    }
    return ceiling.map(weakest::atMost).orElse(weakest);
  }

  /**
   * Returns the token in the one container that decides, if the permission is needed in each;
   * otherwise the token unchanged.
   */
  public TokenTraits decidingContainer(Permission permission, TokenTraits token) {
    if (!permission.isNeededInEachContainer()) {
      return token;
    }
    return token.containers().stream()
        .sorted(Comparator.comparing(Container::path))
        .map(token::onlyIn)
        .reduce((one, other) -> weaker(permission, one, other))
        .orElse(token);
  }

  private TokenTraits weaker(Permission permission, TokenTraits one, TokenTraits other) {
    Decision first = decideOnce(permission, one);
    return Decision.weaker(first, decideOnce(permission, other)).equals(first) ? one : other;
  }

  /**
   * Returns the set of tokens on which the permission is granted in at least one container, in a
   * form that a store can query by.
   */
  public TokenScope scope(Permission permission) {
    return creators.stream()
        .map(each -> each.scope(permission))
        .reduce(own.scope(permission), TokenScope::and);
  }
}
