package io.tokenvault.domain.access;

import io.tokenvault.domain.failure.ShownName;
import io.tokenvault.domain.failure.Violations;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The permissions that may be granted.
 *
 * @param type the type of the receiving application; empty if the request does not contain a valid
 *     one
 * @param grantable accepts the permissions that the granting application may pass on
 */
public record GrantLimits(Optional<ApplicationType> type, Predicate<Permission> grantable) {

  /** Returns limits that accept every permission that the type may hold. */
  public static GrantLimits of(ApplicationType type) {
    return new GrantLimits(Optional.of(type), permission -> true);
  }

  void checkPermissions(String path, List<String> permissions, Violations violations) {
    checkEach(path, permissions, permission -> true, violations);
  }

  void checkRulePermissions(String path, List<String> permissions, Violations violations) {
    checkEach(path, permissions, Permission::concernsTokens, violations);
  }

  private void checkEach(
      String path,
      List<String> permissions,
      Predicate<Permission> expected,
      Violations violations) {
    for (int i = 0; i < permissions.size(); i++) {
      String here = path + "[" + i + "]";
      String name = permissions.get(i);
      Optional<Permission> permission = Optional.ofNullable(name).flatMap(Permission::of);
      if (name == null) {
        violations.add(here, "must be the name of a permission");
      } else if (permission.isEmpty()) {
        violations.add(here, ShownName.quoted(name) + " is not the name of a permission");
      } else if (!expected.test(permission.get())) {
        violations.add(here, name + " cannot be granted by a rule; rules grant token permissions");
      } else {
        checkOne(here, permission.get(), violations);
      }
    }
  }

  private void checkOne(String path, Permission permission, Violations violations) {
    if (type.isPresent() && !permission.mayBeHeldBy(type.get())) {
      String article = type.get() == ApplicationType.EXPIRING ? "an " : "a ";
      violations.add(
          path,
          permission.type()
              + " cannot be held by "
              + article
              + type.get().value()
              + " application");
    } else if (!grantable.test(permission)) {
      violations.add(path, permission.type() + " is not held by the application that grants it");
    }
  }
}
