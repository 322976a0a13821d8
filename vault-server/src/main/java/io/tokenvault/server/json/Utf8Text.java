package io.tokenvault.server.json;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * Decodes UTF-8 strictly: over-long forms and encoded surrogates are refused, and so is a byte
 * order mark.
 */
final class Utf8Text {

  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private Utf8Text() {}

  /**
   * @throws io.tokenvault.domain.failure.ValidationException at {@code error}
   */
  static CharBuffer decode(byte[] utf8) {
    CharsetDecoder decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    CharBuffer text = CharBuffer.allocate(utf8.length);
    CoderResult result = decoder.decode(ByteBuffer.wrap(utf8), text, true);
    text.flip();
    if (result.isError()) {
      throw atEndOf(text, "the body is not UTF-8");
    }
    if (text.hasRemaining() && text.get(0) == BYTE_ORDER_MARK) {
      throw MalformedJson.at(1, 1, "the body starts with a byte order mark");
    }
    return text;
  }

  private static RuntimeException atEndOf(CharBuffer decoded, String problem) {
    int line = 1;
    int column = 1;
    for (int i = 0; i < decoded.length(); i++) {
      boolean endsLine = endsLine(decoded, i);
      line += endsLine ? 1 : 0;
      column = endsLine ? 1 : column + 1;
    }
    return MalformedJson.at(line, column, problem);
  }

  private static boolean endsLine(CharBuffer text, int index) {
    boolean halfOfCrLf = index + 1 < text.length() && text.charAt(index + 1) == '\n';
    return text.charAt(index) == '\n' || (text.charAt(index) == '\r' && !halfOfCrLf);
  }
}
