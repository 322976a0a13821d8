package io.tokenvault.engine.transform.content;

import io.tokenvault.engine.expression.TextContent;
import io.tokenvault.engine.wire.BodyKind;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/**
 * A body as a transform sees it.
 *
 * @param bytes in the encoding of the kind
 */
public record Content(BodyKind kind, byte[] bytes) {

  private static final byte BYTE_ORDER_MARK = (byte) 0xef;
  private static final int MARK_LENGTH = 3;
  private static final byte[] NO_BYTES = {};

  public Content {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(bytes, "bytes");
  }

  /**
   * What a body of a message is to a transform.
   *
   * @param contentType as the message names it; empty if it names none
   * @param body not encoded; empty if there is none
   * @throws UnusableContentException if it is not what its type says
   */
  public static Content of(Optional<String> contentType, Optional<byte[]> body)
      throws UnusableContentException {
    byte[] bytes = body.orElse(NO_BYTES);
    if (bytes.length == 0) {
      return new Content(BodyKind.NONE, NO_BYTES);
    }
    Optional<TextContent> text = contentType.flatMap(TextContent::of);
    if (text.isEmpty()) {
      return new Content(BodyKind.BINARY, bytes);
    }
    byte[] utf8 = decoded(text.get(), bytes);
    if (!text.get().isJson()) {
      return new Content(BodyKind.TEXT, utf8);
    }
    byte[] json = withoutMark(utf8);
    Json.requireOneValue(json);
    return new Content(BodyKind.JSON, json);
  }

  private static byte[] decoded(TextContent type, byte[] bytes) throws UnusableContentException {
    try {
      return type.decode(bytes).getBytes(StandardCharsets.UTF_8);
    } catch (CharacterCodingException undecodable) {
      throw new UnusableContentException("is not text in its charset");
    }
  }

  /** What RFC 8259, section 8.1, lets a reader ignore. */
  private static byte[] withoutMark(byte[] utf8) {
    return utf8.length >= MARK_LENGTH && utf8[0] == BYTE_ORDER_MARK
        ? Arrays.copyOfRange(utf8, MARK_LENGTH, utf8.length)
        : utf8;
  }

  /**
   * The bytes that a message has of what a transform gave.
   *
   * @param contentType that the message will name; empty if it will name none
   * @return empty for no body
   * @throws UnusableContentException if it cannot be written as that type says
   */
  public Optional<byte[]> written(Optional<String> contentType) throws UnusableContentException {
    if (kind == BodyKind.NONE) {
      return Optional.empty();
    }
    Optional<TextContent> type = contentType.flatMap(TextContent::of);
    if (kind == BodyKind.BINARY || type.isEmpty()) {
      return Optional.of(bytes);
    }
    boolean form = kind == BodyKind.JSON && type.get().isForm();
    return Optional.of(form ? Form.of(bytes) : encoded(type.get()));
  }

  private byte[] encoded(TextContent type) throws UnusableContentException {
    try {
      return type.encode(new String(bytes, StandardCharsets.UTF_8));
    } catch (CharacterCodingException unencodable) {
      throw new UnusableContentException("cannot be written in the charset of its content type");
    }
  }

  /** The kind only: the rest can be secret. */
  @Override
  public String toString() {
    return "Content[" + kind + "]";
  }
}
