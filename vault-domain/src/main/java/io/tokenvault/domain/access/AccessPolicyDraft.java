package io.tokenvault.domain.access;

import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.Violations;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Permissions and rules as a client or a program wrote them; any part may be null or invalid.
 * {@code parse} returns the policy or all violations. For example: {@code
 * AccessPolicyDraft.empty().rule("cards", "/pci/", MASK, TOKEN_READ).parse(PRIVATE)}.
 *
 * @param permissions null if omitted
 * @param rules null if omitted
 */
public record AccessPolicyDraft(List<String> permissions, List<AccessRuleDraft> rules) {

  public static final int MAX_PERMISSIONS = 50;
  public static final int MAX_RULES = 50;

  /** Returns a draft with everything omitted. */
  public static AccessPolicyDraft empty() {
    return new AccessPolicyDraft(null, null);
  }

  /** Returns this draft with more direct permissions. */
  public AccessPolicyDraft grant(Permission... more) {
    List<String> all = new ArrayList<>(permissions == null ? List.of() : permissions);
    all.addAll(types(more));
    return new AccessPolicyDraft(Collections.unmodifiableList(all), rules);
  }

  /**
   * Returns this draft with one more rule, whose priority is its place in the list.
   *
   * @param container the path of the container that the rule covers
   */
  public AccessPolicyDraft rule(
      String description, String container, AccessTransform transform, Permission... granted) {
    return rule(description, container, null, transform, granted);
  }

  /**
   * Returns this draft with one more rule, whose priority is its place in the list.
   *
   * @param conditions the conditions that a token must meet
   */
  public AccessPolicyDraft rule(
      String description,
      List<Condition> conditions,
      AccessTransform transform,
      Permission... granted) {
    List<ConditionDraft> drafts = conditions.stream().map(ConditionDraft::of).toList();
    return rule(description, null, drafts, transform, granted);
  }

  private AccessPolicyDraft rule(
      String description,
      String container,
      List<ConditionDraft> conditions,
      AccessTransform transform,
      Permission... granted) {
    List<AccessRuleDraft> all = new ArrayList<>(rules == null ? List.of() : rules);
    all.add(
        new AccessRuleDraft(
            description, all.size() + 1, container, conditions, transform.value(), types(granted)));
    return new AccessPolicyDraft(permissions, Collections.unmodifiableList(all));
  }

  private static List<String> types(Permission... permissions) {
    return Arrays.stream(permissions).map(Permission::type).toList();
  }

  /**
   * Returns the policy of an application of this type.
   *
   * @throws ValidationException with all violations, if there are any
   */
  public AccessPolicy parse(ApplicationType type) {
    Violations violations = new Violations();
    return violations.require(parse(GrantLimits.of(type), violations));
  }

  /**
   * Returns the policy, or adds a violation for everything invalid, at paths such as {@code
   * rules[0].permissions[1]}.
   *
   * @param violations may contain violations already found elsewhere in the request
   * @return empty if there is any violation
   */
  public Optional<AccessPolicy> parse(GrantLimits limits, Violations violations) {
    check(limits, violations);
    if (violations.isEmpty() && limits.type().isEmpty()) {
      violations.add("type", "is required");
    }
    return violations.ifNone(this::toPolicy);
  }

  private void check(GrantLimits limits, Violations violations) {
    if (isMissing("permissions", permissions, violations)
        && isMissing("rules", rules, violations)) {
      violations.add(
          Violations.WHOLE_REQUEST, "at least one of permissions and rules must not be empty");
    }
    if (permissions != null) {
      checkPermissions(limits, violations);
    }
    if (rules != null) {
      checkRules(limits, violations);
    }
  }

  /** Returns whether a list is empty or omitted, unless its value could not be parsed. */
  private static boolean isMissing(String path, List<?> list, Violations violations) {
    return (list == null || list.isEmpty()) && !violations.isSettled(path);
  }

  private void checkPermissions(GrantLimits limits, Violations violations) {
    if (permissions.size() > MAX_PERMISSIONS) {
      violations.add("permissions", "must be at most " + MAX_PERMISSIONS);
    } else {
      limits.checkPermissions("permissions", permissions, violations);
    }
  }

  private void checkRules(GrantLimits limits, Violations violations) {
    if (rules.size() > MAX_RULES) {
      violations.add("rules", "must be at most " + MAX_RULES);
      return;
    }
    if (limits.type().equals(Optional.of(ApplicationType.MANAGEMENT)) && !rules.isEmpty()) {
      violations.add("rules", "cannot be given to a management application");
      return;
    }
    Set<Integer> priorities = new HashSet<>();
    for (int i = 0; i < rules.size(); i++) {
      String path = "rules[" + i + "]";
      AccessRuleDraft rule = rules.get(i);
      if (rule == null) {
        violations.add(path, "must be an object");
        continue;
      }
      rule.check(path, limits, violations);
      if (rule.priority() != null && !priorities.add(rule.priority())) {
        violations.add(
            path + ".priority", "is already used by an earlier rule; priorities must be unique");
      }
    }
  }

  private AccessPolicy toPolicy() {
    return new AccessPolicy(
        permissions == null
            ? List.of()
            : permissions.stream().map(each -> Permission.of(each).orElseThrow()).toList(),
        rules == null ? List.of() : rules.stream().map(AccessRuleDraft::toRule).toList());
  }
}
