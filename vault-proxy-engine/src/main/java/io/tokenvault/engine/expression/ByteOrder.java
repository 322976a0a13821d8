package io.tokenvault.engine.expression;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Which way round the bytes of wide characters stand, where the charset's name leaves it open. */
final class ByteOrder {

  private static final Charset UTF_32BE = Charset.forName("UTF-32BE");
  private static final Charset UTF_32LE = Charset.forName("UTF-32LE");

  private ByteOrder() {}

  /**
   * A charset that decodes the mark as a character, so that it is written again as it was. Without
   * a mark the greater byte comes first (RFC 2781, section 4.3).
   */
  static Charset exact(Charset charset, byte[] body) {
    return switch (charset.name()) {
      case "UTF-16" ->
          marked(body).filter(StandardCharsets.UTF_16LE::equals).orElse(StandardCharsets.UTF_16BE);
      case "UTF-32" -> marked(body).filter(UTF_32LE::equals).orElse(UTF_32BE);
      default -> charset;
    };
  }

  /** The charset that a byte order mark at the beginning tells. */
  static Optional<Charset> marked(byte[] beginning) {
    if (startsWith(beginning, 0xef, 0xbb, 0xbf)) {
      return Optional.of(StandardCharsets.UTF_8);
    }
    if (startsWith(beginning, 0, 0, 0xfe, 0xff)) {
      return Optional.of(UTF_32BE);
    }
    if (startsWith(beginning, 0xff, 0xfe, 0, 0)) {
      return Optional.of(UTF_32LE);
    }
    if (startsWith(beginning, 0xfe, 0xff)) {
      return Optional.of(StandardCharsets.UTF_16BE);
    }
    return startsWith(beginning, 0xff, 0xfe)
        ? Optional.of(StandardCharsets.UTF_16LE)
        : Optional.empty();
  }

  static boolean startsWith(byte[] bytes, int... beginning) {
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
