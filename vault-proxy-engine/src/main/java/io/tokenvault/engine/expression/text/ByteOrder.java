package io.tokenvault.engine.expression.text;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Detects the byte order of UTF-16 by its byte order mark. The marks of UTF-32 are not recognized.
 */
public final class ByteOrder {

  private ByteOrder() {}

  /**
   * Returns a charset that decodes a byte order mark as a character, so that it is encoded again
   * unchanged. UTF-16 without a mark is big-endian (RFC 2781, section 4.3).
   */
  public static Charset exact(Charset charset, byte[] body) {
    if (!charset.equals(StandardCharsets.UTF_16)) {
      return charset;
    }
    return marked(body).filter(StandardCharsets.UTF_16LE::equals).orElse(StandardCharsets.UTF_16BE);
  }

  /**
   * Returns the charset that a byte order mark at the beginning indicates; empty without a mark.
   */
  public static Optional<Charset> marked(byte[] beginning) {
    if (startsWith(beginning, 0xef, 0xbb, 0xbf)) {
      return Optional.of(StandardCharsets.UTF_8);
    }
    if (startsWith(beginning, 0xfe, 0xff)) {
      return Optional.of(StandardCharsets.UTF_16BE);
    }
    return startsWith(beginning, 0xff, 0xfe)
        ? Optional.of(StandardCharsets.UTF_16LE)
        : Optional.empty();
  }

  /** Returns whether the bytes start with a sequence of unsigned values. */
  public static boolean startsWith(byte[] bytes, int... beginning) {
    if (bytes.length < beginning.length) {
      return false;
    }
    for (int i = 0; i < beginning.length; i++) {
      if ((bytes[i] & 0xff) != beginning[i]) {
        return false;
      }
    }
    return true;
  }
}
