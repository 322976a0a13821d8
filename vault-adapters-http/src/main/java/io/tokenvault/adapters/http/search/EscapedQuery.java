package io.tokenvault.adapters.http.search;

import io.tokenvault.domain.failure.Violations;

/**
 * A query as it was typed, together with its form for Lucene's grammar.
 *
 * <p>Characters that are special in Lucene but not here are escaped outside quotes, so that {@code
 * container:/pci/high/} needs no quotes. Violations are collected with their positions in the typed
 * form. Their messages never repeat the query, which can contain sensitive data.
 */
final class EscapedQuery {

  /** The characters that only Lucene treats as special. */
  private static final String PLAIN = "/@=<>";

  private static final String PATH = "query";
  private static final int MAX_MESSAGES = 20;

  private final String typed;
  private final Violations violations = new Violations();
  private int count;
  private final StringBuilder escaped = new StringBuilder();

  /** Maps each index of the escaped query to the index in the typed one. */
  private final int[] origins;

  /**
   * Escapes a query.
   *
   * @param typed the query as the client sent it
   */
  EscapedQuery(String typed) {
    this.typed = typed;
    this.origins = new int[2 * typed.length() + 1];
    boolean quoted = false;
    for (int i = 0; i < typed.length(); i++) {
      char character = typed.charAt(i);
      if (character == '\\' && i + 1 < typed.length()) {
        append(character, i++);
      } else if (character == '"') {
        quoted = !quoted;
      } else if (!quoted && PLAIN.indexOf(character) >= 0) {
        append('\\', i);
      }
      append(typed.charAt(i), i);
    }
    origins[escaped.length()] = typed.length();
  }

  private void append(char character, int origin) {
    origins[escaped.length()] = origin;
    escaped.append(character);
  }

  /** Returns the query in Lucene's grammar. */
  String escaped() {
    return escaped.toString();
  }

  /**
   * Adds a violation, up to 20 of them; more would not help the reader.
   *
   * @param offset an index in the escaped query
   */
  void report(int offset, String message) {
    count++;
    if (count <= MAX_MESSAGES) {
      violations.add(PATH, "at character " + position(offset) + ": " + message);
    }
  }

  boolean isValid() {
    return violations.isEmpty();
  }

  /** Adds the violations of the query to those of the request. */
  void addTo(Violations all) {
    all.addAll(violations);
  }

  /**
   * Returns the position of a character in the typed query, counted in code points from 1.
   *
   * @param offset an index in the escaped query; values out of range are clamped
   */
  private int position(int offset) {
    int end = Math.max(0, Math.min(offset, escaped.length()));
    return typed.codePointCount(0, origins[end]) + 1;
  }
}
