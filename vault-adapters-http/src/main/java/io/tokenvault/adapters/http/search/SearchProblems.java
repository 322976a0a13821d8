package io.tokenvault.adapters.http.search;

import io.tokenvault.domain.failure.Violations;

/** Notes what is wrong with a query and where; never what was typed there. */
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
   * Notes it, unless so much is wrong already that nobody reads on.
   *
   * @param offset in the escaped text
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

  void addTo(Violations all) {
    all.addAll(violations);
  }
}
