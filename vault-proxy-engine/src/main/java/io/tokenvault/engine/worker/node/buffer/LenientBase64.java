package io.tokenvault.engine.worker.node.buffer;

import java.util.Arrays;

/**
 * Base64 as {@code Buffer} reads it: both alphabets, anything else skipped, over at the first
 * {@code =}. The JDK's decoders know one alphabet each and refuse the rest.
 */
public final class LenientBase64 {
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

  /** What {@code Buffer.byteLength} says, which looks at nothing but the length and the end. */
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
