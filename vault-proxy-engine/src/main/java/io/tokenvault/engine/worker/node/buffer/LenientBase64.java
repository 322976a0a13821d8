package io.tokenvault.engine.worker.node.buffer;

import java.util.Arrays;

/**
 * Base64 decoder with the rules of {@code Buffer}: both alphabets are accepted, other characters
 * are skipped, and the first {@code =} ends the data.
 *
 * <p>The decoders of the JDK accept one alphabet each and reject other characters.
 */
public final class LenientBase64 {
  /** The value of each ASCII character; -1 if it is not a digit. */
  private static final byte[] VALUES = values();

  private LenientBase64() {}

  private static byte[] values() {
    byte[] values = new byte[128];
    Arrays.fill(values, (byte) -1);
    String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int i = 0; i < alphabet.length(); i++) {
      values[alphabet.charAt(i)] = (byte) i;
    }
    values['-'] = 62;
    values['_'] = 63;
    return values;
  }

  /** Decodes text. Any text is valid; bits after the last complete byte are dropped. */
  public static byte[] decode(String text) {
    byte[] out = new byte[(int) (text.length() * 3L / 4)];
    int length = 0;
    int bits = 0;
    int held = 0;
    for (int i = 0; i < text.length() && text.charAt(i) != '='; i++) {
      int value = text.charAt(i) < 128 ? VALUES[text.charAt(i)] : -1;
      if (value < 0) {
        continue;
      }
      bits = (bits << 6) | value;
      held += 6;
      if (held >= 8) {
        held -= 8;
        out[length++] = (byte) (bits >> held);
      }
    }
    return length == out.length ? out : Arrays.copyOf(out, length);
  }

  /**
   * Returns the length that {@code Buffer.byteLength} reports, which depends only on the length of
   * the text and the padding at its end.
   */
  static long guessedLength(String text) {
    long length = text.length();
    if (length > 0 && text.charAt(text.length() - 1) == '=') {
      length--;
    }
    if (length > 1 && text.charAt((int) length - 1) == '=') {
      length--;
    }
    return length * 3 / 4;
  }
}
