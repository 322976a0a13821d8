package io.tokenvault.domain.access;

import io.tokenvault.domain.permission.Permission;
import java.util.List;
import java.util.Objects;

/**
 * Grants permissions on some tokens, with what is shown of them (interface, section 2).
 *
 * @param priority from 1; a higher number has lower precedence; unique within an application
 * @param permissions token permissions, not empty, without repetition
 */
public record AccessRule(
    String description,
    int priority,
    TokenSelector selector,
    AccessTransform transform,
    List<Permission> permissions) {

  public AccessRule {
    Objects.requireNonNull(description, "description");
    Objects.requireNonNull(selector, "selector");
    Objects.requireNonNull(transform, "transform");
    permissions = permissions.stream().distinct().toList();
    if (priority < 1 || permissions.isEmpty()) {
      throw new IllegalArgumentException("a rule has a priority from 1 and grants something");
    }
  }

  /** How many characters its texts have, by which it takes memory. */
  int length() {
    return description.length() + selector.length();
  }

  public boolean grants(Permission permission) {
    return permissions.contains(permission);
  }
}
