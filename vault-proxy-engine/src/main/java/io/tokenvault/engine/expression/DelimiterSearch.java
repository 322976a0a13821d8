package io.tokenvault.engine.expression;

import java.nio.charset.StandardCharsets;

/**
 * Looks for a delimiter, which begins with the only CR in it, in bytes that come in pieces. Where
 * it starts the line end before it counts as seen.
 */
final class DelimiterSearch {

  /** Takes the bytes that belong to no delimiter. */
  @FunctionalInterface
  interface Others {
    void take(byte[] bytes, int offset, int length);
  }

  private static final int LINE_END = 2;

  private final byte[] delimiter;
  private int matched;
  private int assumed;

  /**
   * @param delimiter with the line end before it
   */
  DelimiterSearch(String delimiter) {
    this.delimiter = delimiter.getBytes(StandardCharsets.US_ASCII);
    restart();
  }

  void restart() {
    matched = LINE_END;
    assumed = LINE_END;
  }

  boolean isFound() {
    return matched == delimiter.length;
  }

  /** How many of the bytes that were seen make up the delimiter that was found. */
  int foundLength() {
    return delimiter.length - assumed;
  }

  /** Returns how far it came: to the end, or behind the delimiter. */
  int advance(byte[] bytes, int from, int end, Others others) {
    int at = from;
    while (at < end && !isFound()) {
      if (matched == 0) {
        at = skip(bytes, at, end, others);
      } else if (bytes[at] == delimiter[matched]) {
        matched++;
        at++;
      } else {
        others.take(delimiter, assumed, matched - assumed);
        matched = 0;
        assumed = 0;
      }
    }
    return at;
  }

  private int skip(byte[] bytes, int from, int end, Others others) {
    int at = from;
    while (at < end && bytes[at] != delimiter[0]) {
      at++;
    }
    others.take(bytes, from, at - from);
    if (at == end) {
      return end;
    }
    matched = 1;
    return at + 1;
  }
}
