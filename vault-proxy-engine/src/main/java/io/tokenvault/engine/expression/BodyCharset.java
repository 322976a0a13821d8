package io.tokenvault.engine.expression;

import io.tokenvault.domain.failure.ValidationException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The characters that the charset of a body can encode, and the detection of the charset of XML and
 * of the byte order of UTF-16. The byte order marks of UTF-32 are not recognized.
 *
 * <p>A query allocates no memory and throws no exception, because there is one for each character
 * of token data. Not thread-safe.
 */
final class BodyCharset {

  private static final int FIRST_NON_ASCII = 0x80;

  /** Bytes within which the encoding must be declared. */
  private static final int MAX_DECLARATION = 1024;

  /** Length of the longest beginning that shows the charset of XML without a declaration. */
  private static final int LONGEST_XML_MARK = 4;

  private static final String DECLARATION = "<?xml";
  private static final Pattern ENCODING =
      Pattern.compile("<\\?xml\\s[^>]*?\\bencoding\\s*=\\s*(?:\"([^\">]*)\"|'([^'>]*)')");

  /** Length of the mark of UTF-8 in bytes. */
  private static final int LONGEST_MARK = 3;

  /** Largest number of bytes for one character, with margin. */
  private static final int LONGEST_CHARACTER = 64;

  private final CharsetEncoder encoder;
  private final CharBuffer pair = CharBuffer.allocate(2);
  private final ByteBuffer bytes = ByteBuffer.allocate(LONGEST_CHARACTER);

  BodyCharset(Charset charset) {
    this.encoder = charset.newEncoder();
  }

  /** Returns the refusal of data with characters that the charset of the body lacks. */
  static ValidationException lacking() {
    return ValidationException.of(
        "error", "The data of a token cannot be written in the charset of the body.");
  }

  /** Returns whether the charset can encode a code point; false for a lone surrogate. */
  boolean has(int character) {
    if (character < FIRST_NON_ASCII) {
      return true;
    }
    return Character.isBmpCodePoint(character)
        ? !Character.isSurrogate((char) character) && encoder.canEncode((char) character)
        : hasPair(character);
  }

  /** Returns whether the charset can encode a supplementary code point. */
  private boolean hasPair(int character) {
    pair.clear()
        .put(Character.highSurrogate(character))
        .put(Character.lowSurrogate(character))
        .flip();
    boolean encodable = !encoder.reset().encode(pair, bytes.clear(), true).isError();
    encoder.reset();
    return encodable;
  }

  /**
   * Returns a charset that decodes a byte order mark as a character, so that it is encoded again
   * unchanged. UTF-16 without a mark is big-endian (RFC 2781, section 4.3).
   */
  static Charset exact(Charset charset, byte[] body) {
    if (!charset.equals(StandardCharsets.UTF_16)) {
      return charset;
    }
    return marked(body).filter(StandardCharsets.UTF_16LE::equals).orElse(StandardCharsets.UTF_16BE);
  }

  /**
   * Decodes a body.
   *
   * @throws CharacterCodingException if it is malformed
   */
  static String decodeStrictly(byte[] body, Charset charset) throws CharacterCodingException {
    return charset.newDecoder().decode(ByteBuffer.wrap(body)).toString();
  }

  /**
   * Returns the charset that a byte order mark at the beginning indicates; empty without a mark.
   */
  static Optional<Charset> marked(byte[] beginning) {
    int length = Math.min(beginning.length, LONGEST_MARK);
    String mark = new String(beginning, 0, length, StandardCharsets.ISO_8859_1);
    if (mark.startsWith("\u00ef\u00bb\u00bf")) {
      return Optional.of(StandardCharsets.UTF_8);
    }
    if (mark.startsWith("\u00fe\u00ff")) {
      return Optional.of(StandardCharsets.UTF_16BE);
    }
    return mark.startsWith("\u00ff\u00fe")
        ? Optional.of(StandardCharsets.UTF_16LE)
        : Optional.empty();
  }

  /** Returns whether further bytes could change the result of {@link #ofXml}. */
  static boolean needsMoreXml(byte[] beginning) {
    if (beginning.length < LONGEST_XML_MARK) {
      return true;
    }
    String ascii = ascii(beginning);
    return beginning.length < MAX_DECLARATION
        && ascii.indexOf('>') < 0
        && DECLARATION.regionMatches(0, ascii, 0, Math.min(DECLARATION.length(), ascii.length()));
  }

  /**
   * Detects the charset of XML whose content type names none (XML 1.0, appendix F): by its byte
   * order mark, else by its declaration, else UTF-8. XML in EBCDIC is not recognized.
   *
   * @return empty if it is unknown or contradicts the bytes of the declaration
   */
  static Optional<Charset> ofXml(byte[] body) {
    return marked(body).or(() -> utf16WithoutMark(body)).or(() -> declared(body));
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
