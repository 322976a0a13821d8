package io.tokenvault.engine.expression;

import io.tokenvault.domain.failure.ValidationException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The characters that the charset of a body can encode, and the byte order of UTF-16 by its byte
 * order mark. The marks of UTF-32 are not recognized.
 *
 * <p>A query allocates no memory and throws no exception, because there is one for each character
 * of token data. Not thread-safe.
 */
final class BodyCharset {

  private static final int FIRST_NON_ASCII = 0x80;

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
}
