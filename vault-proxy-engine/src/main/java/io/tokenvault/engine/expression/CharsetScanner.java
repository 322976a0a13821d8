package io.tokenvault.engine.expression;

import io.tokenvault.engine.expression.TextualBody.ByteScanner;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;

/**
 * Scans bytes that are characters in a charset. Malformed bytes are replaced, and a character may
 * be split between two calls.
 */
final class CharsetScanner implements ByteScanner {

  /** Largest number of bytes of an incomplete character. */
  private static final int MAX_REMAINDER = 16;

  private final CharsetDecoder decoder;
  private final ExpressionDetector scanner;
  private final CharBuffer characters = CharBuffer.allocate(8 * 1024);
  private byte[] remainder = new byte[0];

  CharsetScanner(Charset charset, ExpressionDetector scanner) {
    this.decoder =
        charset
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPLACE)
            .onUnmappableCharacter(CodingErrorAction.REPLACE);
    this.scanner = scanner;
  }

  @Override
  public boolean scan(byte[] bytes, int offset, int length) {
    ByteBuffer input = withRemainder(bytes, offset, length);
    CoderResult result;
    do {
      result = decoder.decode(input, characters, false);
      characters.flip();
      if (scanDecoded()) {
        return true;
      }
      characters.clear();
    } while (result.isOverflow());
    keepRemainder(input);
    return false;
  }

  /** Returns the bytes after those of an incomplete character. */
  private ByteBuffer withRemainder(byte[] bytes, int offset, int length) {
    return remainder.length == 0
        ? ByteBuffer.wrap(bytes, offset, length)
        : ByteBuffer.allocate(remainder.length + length)
            .put(remainder)
            .put(bytes, offset, length)
            .flip();
  }

  /** Returns whether one of the decoded characters completes an expression. */
  private boolean scanDecoded() {
    while (characters.hasRemaining()) {
      if (scanner.scan(characters.get())) {
        return true;
      }
    }
    return false;
  }

  /** Keeps the beginning of a character whose end has not arrived. */
  private void keepRemainder(ByteBuffer rest) {
    remainder = new byte[Math.min(rest.remaining(), MAX_REMAINDER)];
    rest.get(remainder);
  }

  /**
   * Detects expressions in text that is streamed and not kept. An instance serves one body and one
   * thread.
   */
  interface ExpressionDetector {

    /** Scans the next character and returns whether it completes an expression. */
    boolean scan(char next);
  }
}
