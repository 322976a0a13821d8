package io.tokenvault.engine.expression.text;

import io.tokenvault.domain.failure.ValidationException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;

/**
 * The characters that a charset has. Asking costs neither memory nor an exception, since it is
 * asked for each character of a token. For one thread.
 */
public final class CharsetRepertoire {

  private static final int FIRST_NON_ASCII = 0x80;
  private static final int LONGEST_CHARACTER = 64;

  private final CharsetEncoder encoder;
  private final CharBuffer pair = CharBuffer.allocate(2);
  private final ByteBuffer bytes = ByteBuffer.allocate(LONGEST_CHARACTER);

  public CharsetRepertoire(Charset charset) {
    this.encoder = charset.newEncoder();
  }

  /** The refusal of data with characters that the charset of its place does not have. */
  public static ValidationException lacking() {
    return ValidationException.of(
        "error", "The data of a token cannot be written in the charset of the body.");
  }

  /** Half of a character is in none. */
  public boolean has(int character) {
    if (character < FIRST_NON_ASCII) {
      return true;
    }
    return Character.isBmpCodePoint(character)
        ? !Character.isSurrogate((char) character) && encoder.canEncode((char) character)
        : hasPair(character);
  }

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
