package io.tokenvault.domain.request;

import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Encodes and decodes percent-encoding in URLs and forms (RFC 3986, section 2.1). */
public final class PercentEncoding {

  private static final HexFormat HEX = HexFormat.of().withUpperCase();
  private static final String UNRESERVED_MARKS = "-._~";
  private static final int TRIPLET = 3;

  private PercentEncoding() {}

  /** Encodes everything except unreserved characters. */
  public static String encode(String text, Charset charset) {
    StringBuilder encoded = new StringBuilder(text.length() + 16);
    for (byte each : text.getBytes(charset)) {
      char character = (char) (each & 0xff);
      if (isUnreserved(character)) {
        encoded.append(character);
      } else {
        append(encoded, each);
      }
    }
    return encoded.toString();
  }

  /**
   * Encodes as UTF-8 only characters that may not occur in a URL component, and percent signs that
   * begin no triplet.
   *
   * @param allowed the reserved characters that may occur in the component
   */
  public static String encodeForbidden(String raw, String allowed) {
    StringBuilder encoded = new StringBuilder(raw.length() + 16);
    for (int i = 0; i < raw.length(); ) {
      int character = raw.codePointAt(i);
      int width = Character.charCount(character);
      if (isUnreserved(character) || allowed.indexOf(character) >= 0 || isTriplet(raw, i)) {
        encoded.appendCodePoint(character);
      } else {
        for (byte each : raw.substring(i, i + width).getBytes(StandardCharsets.UTF_8)) {
          append(encoded, each);
        }
      }
      i += width;
    }
    return encoded.toString();
  }

  /** Decodes triplets, and plus signs to spaces if requested. */
  public static String decode(String raw, boolean plusIsSpace, Charset charset) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(raw.length());
    for (int i = 0; i < raw.length(); ) {
      if (isTriplet(raw, i)) {
        bytes.write(tripletValue(raw, i));
        i += TRIPLET;
      } else {
        int width = Character.charCount(raw.codePointAt(i));
        String plain = raw.substring(i, i + width);
        bytes.writeBytes((plusIsSpace && plain.equals("+") ? " " : plain).getBytes(charset));
        i += width;
      }
    }
    return bytes.toString(charset);
  }

  /** Returns whether an encoded byte begins at an index. */
  public static boolean isTriplet(CharSequence raw, int index) {
    return raw.charAt(index) == '%'
        && index + 2 < raw.length()
        && HexFormat.isHexDigit(raw.charAt(index + 1))
        && HexFormat.isHexDigit(raw.charAt(index + 2));
  }

  /** Returns the encoded byte that begins at an index. */
  public static int tripletValue(CharSequence raw, int index) {
    return HexFormat.fromHexDigits(raw, index + 1, index + TRIPLET);
  }

  private static boolean isUnreserved(int character) {
    return (character >= 'a' && character <= 'z')
        || (character >= 'A' && character <= 'Z')
        || (character >= '0' && character <= '9')
        || (character < 0x80 && UNRESERVED_MARKS.indexOf(character) >= 0);
  }

  private static void append(StringBuilder encoded, byte value) {
    encoded.append('%');
    HEX.toHexDigits(encoded, value);
  }
}
