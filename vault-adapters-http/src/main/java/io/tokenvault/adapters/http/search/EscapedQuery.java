package io.tokenvault.adapters.http.search;

/**
 * A query as it was typed, together with its form for Lucene's grammar.
 *
 * <p>Characters that are special in Lucene but not here are escaped outside quotes, so that {@code
 * container:/pci/high/} needs no quotes. Positions in the escaped form can be mapped back for error
 * messages.
 */
final class EscapedQuery {

  /** The characters that only Lucene treats as special. */
  private static final String PLAIN = "/@=<>";

  private final String typed;
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
   * Returns the position of a character in the typed query, counted in code points from 1.
   *
   * @param offset an index in the escaped query; values out of range are clamped
   */
  int position(int offset) {
    int end = Math.max(0, Math.min(offset, escaped.length()));
    return typed.codePointCount(0, origins[end]) + 1;
  }
}
