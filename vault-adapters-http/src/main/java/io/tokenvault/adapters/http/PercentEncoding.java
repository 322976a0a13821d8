package io.tokenvault.adapters.http;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Percent-encoding of UTF-8 (RFC 3986). */
final class PercentEncoding {

  private static final String UNRESERVED_MARKS = "-._~";
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private PercentEncoding() {}

  /** Leaves the unreserved characters only as they are. */
  static String encode(String text) {
    StringBuilder encoded = new StringBuilder(text.length());
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      if (isUnreserved(each)) {
        encoded.append((char) each);
      } else {
        HEX.toHexDigits(encoded.append('%'), each);
      }
    }
    return encoded.toString();
  }

  private static boolean isUnreserved(byte character) {
    return (character >= 'a' && character <= 'z')
        || (character >= 'A' && character <= 'Z')
        || (character >= '0' && character <= '9')
        || UNRESERVED_MARKS.indexOf(character) >= 0;
  }
}
