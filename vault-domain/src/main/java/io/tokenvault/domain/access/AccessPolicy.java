package io.tokenvault.domain.access;

import io.tokenvault.domain.access.Decision.Reason;
import io.tokenvault.domain.access.Decision.Skipped;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The permissions and access rules of an application.
 *
 * <p>A directly granted permission applies to all tokens; access rules grant permissions on some
 * tokens and determine how much of each is shown. Rules are stored in the order in which they were
 * given and evaluated by priority. A policy denies by default. {@link Authority} decides by it.
 *
 * @param permissions the direct permissions, without duplicates
 * @param rules the rules in the order in which they were given, each with a unique priority
 */
public record AccessPolicy(List<Permission> permissions, List<AccessRule> rules) {

  /**
   * Creates a policy.
   *
   * @throws IllegalArgumentException if two rules have one priority, or no type of application may
   *     hold all of the permissions
   */
  public AccessPolicy {
    permissions = permissions.stream().distinct().toList();
    rules = new Rules(rules);
    if (rules.stream().map(AccessRule::priority).distinct().count() < rules.size()) {
      throw new IllegalArgumentException("the rules of a policy have different priorities");
    }
    if (!isHoldable(permissions, rules)) {
      throw new IllegalArgumentException(
          "no type of application may hold all permissions of the policy");
    }
  }

  /** Returns whether a type of application may hold all of the permissions. */
  private static boolean isHoldable(List<Permission> permissions, List<AccessRule> rules) {
    Set<Permission> all = EnumSet.noneOf(Permission.class);
    all.addAll(permissions);
    rules.forEach(rule -> all.addAll(rule.permissions()));
    return Arrays.stream(ApplicationType.values())
        .anyMatch(type -> all.stream().allMatch(each -> each.mayBeHeldBy(type)));
  }

  /** Rules in the order in which they were given, sorted once by the order of their evaluation. */
  private static final class Rules extends AbstractList<AccessRule> {

    private final List<AccessRule> given;
    private final List<AccessRule> byPriority;

    Rules(List<AccessRule> rules) {
      given = List.copyOf(rules);
      byPriority = given.stream().sorted(Comparator.comparingInt(AccessRule::priority)).toList();
    }

    @Override
    public AccessRule get(int index) {
      return given.get(index);
    }

    @Override
    public int size() {
      return given.size();
    }
  }

  private List<AccessRule> byPriority() {
    return ((Rules) rules).byPriority;
  }

  /** Returns a policy that grants nothing. */
  public static AccessPolicy none() {
    return new AccessPolicy(List.of(), List.of());
  }

  /** Returns the number of characters in its rules, which estimates its memory. */
  public long length() {
    return rules.stream().mapToLong(AccessRule::length).sum();
  }

  /** Returns whether the permission is granted on anything at all, directly or by a rule. */
  public boolean grants(Permission permission) {
    return permissions.contains(permission)
        || rules.stream().anyMatch(rule -> rule.grants(permission));
  }

  /**
   * Decides whether a permission may be exercised on a token. The first rule by ascending priority
   * that lists the permission and selects the token decides, otherwise a direct grant; otherwise it
   * is denied.
   *
   * <p>A direct grant reveals data for {@code token:use} and masks it for other permissions.
   */
  Decision decide(Permission permission, TokenTraits token) {
    List<Skipped> skipped = new ArrayList<>();
    for (AccessRule rule : byPriority()) {
      if (!rule.grants(permission)) {
        skipped.add(new Skipped(rule, Reason.PERMISSION_NOT_LISTED));
      } else if (!rule.selector().matches(token)) {
        skipped.add(new Skipped(rule, unselected(rule.selector(), token)));
      } else {
        return new Decision.Allow(rule.transform(), Optional.of(rule), skipped);
      }
    }
    return decideDirectly(permission, skipped);
  }

  private static Reason unselected(TokenSelector selector, TokenTraits token) {
    return selector.dependsOnId(token) ? Reason.ID_NOT_GIVEN : Reason.TOKEN_NOT_SELECTED;
  }

  /** Returns the decision of this policy alone, together with the outcome of each rule. */
  public Explanation explain(Permission permission, TokenTraits token) {
    return Explanation.of(decide(permission, token), byPriority());
  }

  private Decision decideDirectly(Permission permission, List<Skipped> skipped) {
    if (permissions.contains(permission)) {
      return new Decision.Allow(implicitTransform(permission), Optional.empty(), skipped);
    }
    return new Decision.Deny(
        "neither a rule nor a direct permission grants " + permission.type(), skipped);
  }

  private static AccessTransform implicitTransform(Permission permission) {
    return permission == Permission.TOKEN_USE ? AccessTransform.REVEAL : AccessTransform.MASK;
  }

  /** Returns the tokens for which {@link #decide} allows the permission. */
  TokenScope scope(Permission permission) {
    if (permissions.contains(permission)) {
      return TokenScope.everything();
    }
    return TokenScope.selectedBy(
        rules.stream().filter(rule -> rule.grants(permission)).map(AccessRule::selector).toList());
  }
}
