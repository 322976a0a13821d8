package io.tokenvault.engine.expression;

import java.nio.charset.StandardCharsets;

/**
 * Searches for a delimiter in bytes that arrive in pieces. The delimiter starts with its only CR.
 * At the start of the input, the line end before it counts as present.
 */
final class DelimiterSearch {

  /** Receives the bytes that belong to no delimiter. */
  @FunctionalInterface
  interface Others {
    void take(byte[] bytes, int offset, int length);
  }

  private static final int LINE_END = 2;

  private final byte[] delimiter;
  private int matched;
  private int assumed;

  /**
   * Creates a search.
   *
   * @param delimiter including the line end before it
   */
  DelimiterSearch(String delimiter) {
    this.delimiter = delimiter.getBytes(StandardCharsets.US_ASCII);
    restart();
  }

  /** Starts a new search, as after a line end. */
  void restart() {
    matched = LINE_END;
    assumed = LINE_END;
  }

  boolean isFound() {
    return matched == delimiter.length;
  }

  /** Returns how many of the input's bytes the delimiter consists of. */
  int foundLength() {
    return delimiter.length - assumed;
  }

  /**
   * Consumes bytes up to the end of the input or of the delimiter.
   *
   * @return the index after the last byte that was consumed
   */
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

  /** Passes bytes on up to the next CR. */
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
