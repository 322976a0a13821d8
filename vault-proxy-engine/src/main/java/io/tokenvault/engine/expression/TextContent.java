package io.tokenvault.engine.expression;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * A content type whose bodies are characters, with lossless conversion between bytes and text.
 * Multipart types are excluded, because their parts can be anything.
 */
public final class TextContent {

  // Unmarked UTF-16 is big-endian; a byte order mark is a character of the text.
  private static final byte[] UNMARKED = {};

  private final MediaType type;
  private final BodySyntax syntax;

  private TextContent(MediaType type, BodySyntax syntax) {
    this.type = type;
    this.syntax = syntax;
  }

  /** Returns the content type; empty if its bodies are binary or multipart. */
  public static Optional<TextContent> of(String contentType) {
    MediaType type = MediaType.parse(contentType);
    return BodySyntax.of(type).map(syntax -> new TextContent(type, syntax));
  }

  public boolean isJson() {
    return syntax == BodySyntax.JSON;
  }

  public boolean isForm() {
    return syntax == BodySyntax.FORM;
  }

  /**
   * Decodes a body in the charset that the type names, or else in the default of the syntax. A byte
   * order mark is kept as a character.
   *
   * @throws CharacterCodingException if the charset is unknown or the body is malformed
   */
  public String decode(byte[] body) throws CharacterCodingException {
    return BodyCharset.decodeStrictly(body, BodyCharset.exact(charset(body), body));
  }

  /**
   * Encodes a text in the charset that the type names or that an XML declaration in the text names.
   *
   * @throws CharacterCodingException if the charset is unknown or lacks a character
   */
  public byte[] encode(String text) throws CharacterCodingException {
    ByteBuffer encoded =
        BodyCharset.exact(charset(text.getBytes(StandardCharsets.UTF_8)), UNMARKED)
            .newEncoder()
            .encode(CharBuffer.wrap(text));
    return Arrays.copyOf(encoded.array(), encoded.limit());
  }

  private Charset charset(byte[] body) throws CharacterCodingException {
    return syntax.charset(type, body).orElseThrow(CharacterCodingException::new);
  }
}
