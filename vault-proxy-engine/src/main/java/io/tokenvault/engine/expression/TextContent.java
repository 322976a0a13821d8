package io.tokenvault.engine.expression;

import io.tokenvault.engine.expression.text.ByteOrder;
import io.tokenvault.engine.expression.text.MediaType;
import io.tokenvault.engine.expression.xml.XmlCharset;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * A content type whose bodies are characters, and how to come from one to the other without losing
 * any. Multipart bodies are not among them: their parts can be anything.
 */
public final class TextContent {

  // Of UTF-16 without a mark the greater byte comes first; a mark is a character of the text.
  private static final byte[] UNMARKED = {};

  private final MediaType type;
  private final BodySyntax syntax;

  private TextContent(MediaType type, BodySyntax syntax) {
    this.type = type;
    this.syntax = syntax;
  }

  /** Empty if bodies of this type are bytes. */
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

  /** The charset that the type names, else what the syntax says; a byte order mark stays. */
  public String decode(byte[] body) throws CharacterCodingException {
    return ByteOrder.exact(charset(body), body)
        .newDecoder()
        .onMalformedInput(CodingErrorAction.REPORT)
        .onUnmappableCharacter(CodingErrorAction.REPORT)
        .decode(ByteBuffer.wrap(body))
        .toString();
  }

  /** The same the other way round: the encoding declared in an XML text is the one it gets. */
  public byte[] encode(String text) throws CharacterCodingException {
    ByteBuffer encoded =
        ByteOrder.exact(charset(text.getBytes(StandardCharsets.UTF_8)), UNMARKED)
            .newEncoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT)
            .encode(CharBuffer.wrap(text));
    return Arrays.copyOf(encoded.array(), encoded.limit());
  }

  private Charset charset(byte[] body) throws CharacterCodingException {
    Optional<Charset> charset = type.namesCharset() ? type.charset() : unnamed(body);
    return charset.orElseThrow(CharacterCodingException::new);
  }

  private Optional<Charset> unnamed(byte[] body) {
    return syntax == BodySyntax.XML ? XmlCharset.of(body) : Optional.of(StandardCharsets.UTF_8);
  }
}
