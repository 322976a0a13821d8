package io.tokenvault.domain.access;

import io.tokenvault.domain.access.TokenSelector.InContainer;
import io.tokenvault.domain.access.TokenSelector.MeetsAll;
import io.tokenvault.domain.failure.ShownName;
import io.tokenvault.domain.failure.Violations;
import java.util.List;

/**
 * An access rule as a client wrote it; any part may be null or invalid.
 *
 * @param container for public and private applications, which then have no conditions
 * @param conditions for expiring applications, which then have no container
 */
public record AccessRuleDraft(
    String description,
    Integer priority,
    String container,
    List<ConditionDraft> conditions,
    String transform,
    List<String> permissions) {

  public static final int MAX_CONDITIONS = MeetsAll.MAX_CONDITIONS;

  /** Adds a violation for everything invalid, at paths below the rule's. */
  void check(String path, GrantLimits limits, Violations violations) {
    violations.checkRequired(
        path + ".description",
        description,
        AccessRule::isDescription,
        invalid ->
            "must be 1 to " + AccessRule.MAX_DESCRIPTION_LENGTH + " characters long and not blank");
    violations.checkRequired(
        path + ".priority", priority, given -> given >= 1, invalid -> "must be 1 or more");
    violations.checkRequired(
        path + ".transform",
        transform,
        given -> AccessTransform.of(given).isPresent(),
        unknown -> ShownName.noneOf("redact, mask, reveal", unknown));
    checkPermissions(path + ".permissions", limits, violations);
    limits.type().ifPresent(type -> checkSelector(path, type, violations));
    checkConditions(path + ".conditions", violations);
  }

  private void checkPermissions(String path, GrantLimits limits, Violations violations) {
    if (permissions == null) {
      violations.add(path, "is required");
    } else if (permissions.isEmpty()) {
      violations.add(path, "must not be empty");
    } else if (permissions.size() > AccessPolicyDraft.MAX_PERMISSIONS) {
      violations.add(path, "must be at most " + AccessPolicyDraft.MAX_PERMISSIONS);
    } else {
      limits.checkRulePermissions(path, permissions, violations);
    }
  }

  private void checkSelector(String path, ApplicationType type, Violations violations) {
    switch (type) {
      case PUBLIC, PRIVATE -> {
        violations.checkRequired(
            path + ".container", container, Container::isValid, invalid -> Container.SHAPE);
        if (conditions != null) {
          violations.add(
              path + ".conditions",
              "are for expiring applications; a " + type.value() + " one needs a container");
        }
      }
      case EXPIRING -> {
        if (conditions == null || conditions.isEmpty()) {
          violations.add(path + ".conditions", "at least one is required");
        }
        if (container != null) {
          violations.add(
              path + ".container",
              "is for public and private applications; an expiring one needs conditions");
        }
      }
      case MANAGEMENT -> {
        // Rules of a management application are rejected as a whole.
      }
    }
  }

  private void checkConditions(String path, Violations violations) {
    if (conditions == null) {
      return;
    }
    if (conditions.size() > MAX_CONDITIONS) {
      violations.add(path, "must be at most " + MAX_CONDITIONS);
      return;
    }
    for (int i = 0; i < conditions.size(); i++) {
      ConditionDraft condition = conditions.get(i);
      if (condition == null) {
        violations.add(path + "[" + i + "]", "must be an object");
      } else {
        condition.check(path + "[" + i + "]", violations);
      }
    }
  }

  /** Converts a valid draft. */
  AccessRule toRule() {
    TokenSelector selector =
        container != null
            ? new InContainer(new Container(container))
            : new MeetsAll(conditions.stream().map(ConditionDraft::toCondition).toList());
    return new AccessRule(
        description,
        priority,
        selector,
        AccessTransform.of(transform).orElseThrow(),
        permissions.stream().map(each -> Permission.of(each).orElseThrow()).toList());
  }
}
