package io.tokenvault.engine.expression;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Detects the charset of XML whose content type names none (XML 1.0, appendix F): by its byte order
 * mark, else by its declaration, else UTF-8. XML in EBCDIC is not recognized.
 */
final class XmlCharset {

  /** Bytes within which the encoding must be declared. */
  private static final int MAX_DECLARATION = 1024;

  private static final int LONGEST_MARK = 4;
  private static final String DECLARATION = "<?xml";
  private static final Pattern ENCODING =
      Pattern.compile("<\\?xml\\s[^>]*?\\bencoding\\s*=\\s*(?:\"([^\">]*)\"|'([^'>]*)')");

  private XmlCharset() {}

  /** Returns whether further bytes could change the result of {@link #of}. */
  static boolean isOpen(byte[] beginning) {
    if (beginning.length < LONGEST_MARK) {
      return true;
    }
    String ascii = ascii(beginning);
    return beginning.length < MAX_DECLARATION
        && ascii.indexOf('>') < 0
        && DECLARATION.regionMatches(0, ascii, 0, Math.min(DECLARATION.length(), ascii.length()));
  }

  /** Returns the charset; empty if it is unknown or contradicts the bytes of the declaration. */
  static Optional<Charset> of(byte[] body) {
    return BodyCharset.marked(body).or(() -> utf16WithoutMark(body)).or(() -> declared(body));
  }

  /** Returns the variant of UTF-16 in which a declaration without a byte order mark is written. */
  private static Optional<Charset> utf16WithoutMark(byte[] body) {
    String ascii = ascii(body);
    if (ascii.startsWith("\0<\0?")) {
      return Optional.of(StandardCharsets.UTF_16BE);
    }
    return ascii.startsWith("<\0?\0") ? Optional.of(StandardCharsets.UTF_16LE) : Optional.empty();
  }

  /** Returns the declared charset, or UTF-8 if there is no declaration of one. */
  private static Optional<Charset> declared(byte[] body) {
    Matcher encoding = ENCODING.matcher(ascii(body));
    if (!encoding.lookingAt()) {
      return Optional.of(StandardCharsets.UTF_8);
    }
    String named = encoding.group(1) == null ? encoding.group(2) : encoding.group(1);
    byte[] declaration = Arrays.copyOf(body, encoding.end());
    return MediaType.charset(named)
        .filter(charset -> new String(declaration, charset).startsWith(DECLARATION));
  }

  /** Returns the beginning with a character for each byte. */
  private static String ascii(byte[] body) {
    int length = Math.min(body.length, MAX_DECLARATION);
    return new String(body, 0, length, StandardCharsets.ISO_8859_1);
  }
}
