package io.tokenvault.engine.expression;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * Two opening braces in a row, which no expression is without. Most bodies have none, and need not
 * be decoded.
 */
final class OpeningBraces {

  private static final Set<Charset> BYTE_FOR_ASCII =
      Set.of(StandardCharsets.UTF_8, StandardCharsets.US_ASCII, StandardCharsets.ISO_8859_1);

  private final byte[] escaped;

  /**
   * @param escaped another way to write one, in lower case; empty if there is none
   */
  OpeningBraces(String escaped) {
    this.escaped = escaped.getBytes(StandardCharsets.US_ASCII);
  }

  /** Whether they may be in these bytes: false only if they are not. */
  boolean mayBeIn(byte[] bytes, Charset charset) {
    return !BYTE_FOR_ASCII.contains(charset) || areIn(bytes);
  }

  private boolean areIn(byte[] bytes) {
    int at = 0;
    while (at < bytes.length) {
      int first = width(bytes, at);
      if (first > 0 && width(bytes, at + first) > 0) {
        return true;
      }
      at += Math.max(first, 1);
    }
    return false;
  }

  /** How many bytes write a brace here; none if there is no brace. */
  private int width(byte[] bytes, int at) {
    if (at < bytes.length && bytes[at] == '{') {
      return 1;
    }
    return at + escaped.length <= bytes.length && isEscaped(bytes, at) ? escaped.length : 0;
  }

  private boolean isEscaped(byte[] bytes, int at) {
    for (int i = 0; i < escaped.length; i++) {
      if (Character.toLowerCase((char) (bytes[at + i] & 0xff)) != escaped[i]) {
        return false;
      }
    }
    return escaped.length > 0;
  }
}
