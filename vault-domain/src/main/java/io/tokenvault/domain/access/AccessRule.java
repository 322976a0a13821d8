package io.tokenvault.domain.access;

import java.util.List;
import java.util.Objects;

/**
 * Grants permissions on some tokens, and determines how much of their data is shown (interface,
 * section 2).
 *
 * @param description 1 to {@link #MAX_DESCRIPTION_LENGTH} code points, not blank
 * @param priority from 1; a higher number has lower precedence; unique within an application
 * @param selector the tokens that the rule applies to
 * @param transform the form in which data is shown
 * @param permissions token permissions, not empty; duplicates are removed
 */
public record AccessRule(
    String description,
    int priority,
    TokenSelector selector,
    AccessTransform transform,
    List<Permission> permissions) {

  public static final int MAX_DESCRIPTION_LENGTH = 200;

  public AccessRule {
    Objects.requireNonNull(description, "description");
    Objects.requireNonNull(selector, "selector");
    Objects.requireNonNull(transform, "transform");
    permissions = permissions.stream().distinct().toList();
    if (!isDescription(description)) {
      throw new IllegalArgumentException(
          "a rule's description has 1 to " + MAX_DESCRIPTION_LENGTH + " characters, not all blank");
    }
    if (priority < 1 || permissions.isEmpty()) {
      throw new IllegalArgumentException("a rule has a priority from 1 and grants something");
    }
    if (!permissions.stream().allMatch(Permission::concernsTokens)) {
      throw new IllegalArgumentException("a rule grants token permissions");
    }
  }

  static boolean isDescription(String text) {
    return !text.isBlank() && text.codePointCount(0, text.length()) <= MAX_DESCRIPTION_LENGTH;
  }

  /** Returns the name of the rule in explanations. */
  String label() {
    return "rule " + priority + " '" + description + "'";
  }

  /** Returns the number of characters in its strings, which estimates its memory. */
  int length() {
    return description.length() + selector.length();
  }

  public boolean grants(Permission permission) {
    return permissions.contains(permission);
  }
}
