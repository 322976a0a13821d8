package io.tokenvault.domain.access;

import io.tokenvault.domain.failure.Violations;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Permissions and rules as a client wrote them; {@link #check} validates them.
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

  /** Adds a violation for everything invalid, at paths such as {@code rules[0].permissions[1]}. */
  public void check(GrantLimits limits, Violations violations) {
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

  /** Converts a valid draft. */
  public AccessPolicy toPolicy() {
    return new AccessPolicy(
        permissions == null
            ? List.of()
            : permissions.stream().map(each -> Permission.of(each).orElseThrow()).toList(),
        rules == null ? List.of() : rules.stream().map(AccessRuleDraft::toRule).toList());
  }
}
