package io.tokenvault.engine;

import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.request.HeaderField;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Header values at the port have a character for each byte; within the engine, and on the wire to
 * destinations, they are UTF-8.
 */
final class HeaderBytes {

  private HeaderBytes() {}

  /**
   * @throws ValidationException if the value is not UTF-8, which could not be sent unchanged
   */
  static HeaderField decode(HeaderField field) {
    if (isAscii(field.value())) {
      return field;
    }
    byte[] bytes = field.value().getBytes(StandardCharsets.ISO_8859_1);
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return new HeaderField(field.name(), text);
    } catch (CharacterCodingException notUtf8) {
      throw ValidationException.of(
          "error", "The values of headers for the destination must be ASCII or UTF-8.");
    }
  }

  /** The same in both. */
  private static boolean isAscii(String value) {
    for (int i = 0; i < value.length(); i++) {
      if (value.charAt(i) >= 0x80) {
        return false;
      }
    }
    return true;
  }

  static HeaderField encode(HeaderField field) {
    if (isAscii(field.value())) {
      return field;
    }
    byte[] bytes = field.value().getBytes(StandardCharsets.UTF_8);
    return new HeaderField(field.name(), new String(bytes, StandardCharsets.ISO_8859_1));
  }
}
