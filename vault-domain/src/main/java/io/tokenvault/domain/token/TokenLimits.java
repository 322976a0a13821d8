package io.tokenvault.domain.token;

import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.failure.TextMapLimits;
import io.tokenvault.domain.failure.Violations;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Limits on the properties of a token apart from its data. */
public final class TokenLimits {

  public static final int MAX_CONTAINERS = 20;
  public static final int MAX_METADATA = 50;
  public static final int MAX_SEARCH_INDEXES = 20;

  /** The description of a valid list of containers, for messages. */
  public static final String CONTAINERS_SHAPE = "must be 1 to " + MAX_CONTAINERS + ", or omitted";

  private static final String TEXT_WITH_EXPRESSION = "must be a string with an expression";
  private static final TextMapLimits METADATA = new TextMapLimits(MAX_METADATA, 100, 1000);

  private TokenLimits() {}

  static void checkContainers(List<String> containers, Violations violations) {
    if (containers.isEmpty() || containers.size() > MAX_CONTAINERS) {
      violations.add("containers", CONTAINERS_SHAPE);
      return;
    }
    for (int i = 0; i < containers.size(); i++) {
      String container = containers.get(i);
      if (container == null || !Container.isValid(container)) {
        violations.add("containers[" + i + "]", Container.SHAPE);
      }
    }
  }

  static void checkMetadata(Map<String, String> metadata, Violations violations) {
    METADATA.check("metadata", metadata, violations);
  }

  static void checkExpiry(Instant expiresAt, Instant now, Violations violations) {
    if (!expiresAt.isAfter(now)) {
      violations.add("expires_at", "must be in the future");
    }
  }

  static void checkSearchIndexes(List<String> expressions, Violations violations) {
    if (expressions.size() > MAX_SEARCH_INDEXES) {
      violations.add("search_indexes", "must be at most " + MAX_SEARCH_INDEXES);
      return;
    }
    for (int i = 0; i < expressions.size(); i++) {
      if (expressions.get(i) == null || expressions.get(i).isBlank()) {
        violations.add("search_indexes[" + i + "]", TEXT_WITH_EXPRESSION);
      } else {
        ExpressionFields.check(expressions.get(i), "search_indexes[" + i + "]", violations);
      }
    }
  }

  static void checkFingerprint(String expression, Violations violations) {
    if (expression.isBlank()) {
      violations.add("fingerprint_expression", TEXT_WITH_EXPRESSION);
    }
    ExpressionFields.check(expression, "fingerprint_expression", violations);
  }
}
