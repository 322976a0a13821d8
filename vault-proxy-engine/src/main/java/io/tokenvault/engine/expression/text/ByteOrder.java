package io.tokenvault.engine.expression.text;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Which way round the bytes of UTF-16 stand. UTF-32 is not recognised by its mark. */
public final class ByteOrder {

  private ByteOrder() {}

  /**
   * A charset that decodes the mark as a character, so that it is written again as it was. Without
   * a mark the greater byte comes first (RFC 2781, section 4.3).
   */
  public static Charset exact(Charset charset, byte[] body) {
    if (!charset.equals(StandardCharsets.UTF_16)) {
      return charset;
    }
    return marked(body).filter(StandardCharsets.UTF_16LE::equals).orElse(StandardCharsets.UTF_16BE);
  }

  /** The charset that a byte order mark at the beginning tells. */
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
