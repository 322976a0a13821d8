package io.tokenvault.domain.access;

import io.tokenvault.domain.access.TokenSelector.InContainer;
import io.tokenvault.domain.access.TokenSelector.MeetsAll;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Decides access by a second, simple implementation of the rules, for comparison. */
public final class AccessModel {

  private AccessModel() {}

  /** Returns the transform of the decision, or empty for a denial. */
  static Optional<AccessTransform> decide(
      AccessPolicy policy, Permission permission, TokenTraits token) {
    Map<Integer, AccessRule> byPriority = new TreeMap<>();
    policy.rules().forEach(rule -> byPriority.put(rule.priority(), rule));
    for (AccessRule rule : byPriority.values()) {
      if (rule.permissions().contains(permission) && selects(rule.selector(), token)) {
        return Optional.of(rule.transform());
      }
    }
    if (!policy.permissions().contains(permission)) {
      return Optional.empty();
    }
    boolean isUse = permission.type().equals("token:use");
    return Optional.of(isUse ? AccessTransform.REVEAL : AccessTransform.MASK);
  }

  static boolean selects(TokenSelector selector, TokenTraits token) {
    if (selector instanceof InContainer in) {
      return token.containers().stream().anyMatch(each -> covers(in.container(), each));
    }
    return ((MeetsAll) selector).conditions().stream().allMatch(each -> holds(each, token));
  }

  /** Returns true if the first container equals or contains the second. */
  public static boolean covers(Container ancestor, Container container) {
    List<String> prefix = segments(ancestor);
    List<String> path = segments(container);
    return prefix.size() <= path.size() && path.subList(0, prefix.size()).equals(prefix);
  }

  static List<String> segments(Container container) {
    return Arrays.stream(container.path().split("/")).filter(each -> !each.isEmpty()).toList();
  }

  static boolean holds(Condition condition, TokenTraits token) {
    List<String> actual = new ArrayList<>();
    String expected = condition.value();
    if (condition.attribute() == Condition.Attribute.ID) {
      actual.add(token.id());
    } else {
      expected = expected.toLowerCase(Locale.ROOT);
      token.containers().forEach(each -> actual.add(each.path()));
    }
    for (String each : actual) {
      boolean begins = each.indexOf(expected) == 0;
      boolean equal = begins && each.length() == expected.length();
      if (condition.operator() == Condition.Operator.EQUALS ? equal : begins) {
        return true;
      }
    }
    return false;
  }

  /** Returns 0 for a denial and a higher number the more data is shown. */
  static int strength(Optional<AccessTransform> shown) {
    List<AccessTransform> ascending =
        List.of(AccessTransform.REDACT, AccessTransform.MASK, AccessTransform.REVEAL);
    return shown.map(ascending::indexOf).orElse(-1) + 1;
  }
}
