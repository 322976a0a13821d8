package io.tokenvault.adapters.http.search;

/**
 * A query as it was typed, and the same for Lucene's grammar. Characters that mean something there
 * but nothing here stand for themselves outside quotes, so that {@code container:/pci/high/} can be
 * typed.
 */
final class EscapedQuery {

  private static final String PLAIN = "/@=<>";

  private final String typed;
  private final StringBuilder escaped = new StringBuilder();
  private final int[] origins;

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

  /** For Lucene. */
  String escaped() {
    return escaped.toString();
  }

  /**
   * Which character of the typed query this is, from 1.
   *
   * @param offset in the escaped text
   */
  int position(int offset) {
    int end = Math.max(0, Math.min(offset, escaped.length()));
    return typed.codePointCount(0, origins[end]) + 1;
  }
}
