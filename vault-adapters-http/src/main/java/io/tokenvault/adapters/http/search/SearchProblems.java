package io.tokenvault.adapters.http.search;

import io.tokenvault.domain.failure.Violations;

/**
 * Collects the violations of a query with their positions. Messages never repeat the query, which
 * can contain sensitive data.
 */
final class SearchProblems {

  private static final String PATH = "query";
  private static final int MAX_MESSAGES = 20;

  private final EscapedQuery text;
  private final Violations violations = new Violations();
  private int count;

  SearchProblems(EscapedQuery text) {
    this.text = text;
  }

  /**
   * Adds a violation, up to 20 of them; more would not help the reader.
   *
   * @param offset an index in the escaped query
   */
  void add(int offset, String message) {
    count++;
    if (count <= MAX_MESSAGES) {
      violations.add(PATH, "at character " + text.position(offset) + ": " + message);
    }
  }

  boolean isEmpty() {
    return violations.isEmpty();
  }

  /** Adds the violations of the query to those of the request. */
  void addTo(Violations all) {
    all.addAll(violations);
  }
}
