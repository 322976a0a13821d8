package io.tokenvault.engine;

import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.ports.api.HeaderField;
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
    byte[] bytes = field.value().getBytes(StandardCharsets.ISO_8859_1);
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return new HeaderField(field.name(), text);
    } catch (CharacterCodingException notUtf8) {
      throw ValidationException.of(
          "error", "The values of headers for the destination must be ASCII or UTF-8.");
    }
  }

  static HeaderField encode(HeaderField field) {
    byte[] bytes = field.value().getBytes(StandardCharsets.UTF_8);
    return new HeaderField(field.name(), new String(bytes, StandardCharsets.ISO_8859_1));
  }
}
