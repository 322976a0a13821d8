package io.tokenvault.engine.expression.text;

import io.tokenvault.domain.failure.ValidationException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;

/**
 * The characters that a charset can encode. A query allocates no memory and throws no exception,
 * because there is one for each character of token data. Not thread-safe.
 */
public final class CharsetRepertoire {

  private static final int FIRST_NON_ASCII = 0x80;

  /** Largest number of bytes for one character, with margin. */
  private static final int LONGEST_CHARACTER = 64;

  private final CharsetEncoder encoder;
  private final CharBuffer pair = CharBuffer.allocate(2);
  private final ByteBuffer bytes = ByteBuffer.allocate(LONGEST_CHARACTER);

  public CharsetRepertoire(Charset charset) {
    this.encoder = charset.newEncoder();
  }

  /** Returns the refusal of data with characters that the charset of the body lacks. */
  public static ValidationException lacking() {
    return ValidationException.of(
        "error", "The data of a token cannot be written in the charset of the body.");
  }

  /** Returns whether the charset can encode a code point; false for a lone surrogate. */
  public boolean has(int character) {
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
}
