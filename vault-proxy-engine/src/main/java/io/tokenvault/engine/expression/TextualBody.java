package io.tokenvault.engine.expression;

import io.tokenvault.domain.failure.ValidationException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** A kind of body that can hold expressions, as its content type says. */
public final class TextualBody {

  private final BodySyntax syntax;
  private final Optional<Charset> charset;

  private TextualBody(BodySyntax syntax, Optional<Charset> charset) {
    this.syntax = syntax;
    this.charset = charset;
  }

  /** Empty if bodies of this type cannot hold expressions. */
  public static Optional<TextualBody> of(String contentType) {
    MediaType type = MediaType.parse(contentType);
    return BodySyntax.of(type).map(syntax -> new TextualBody(syntax, type.charset()));
  }

  /**
   * Finds the expressions of a whole body.
   *
   * @return empty if there are none, and the body goes on byte for byte
   * @throws ValidationException if there are, and the body is not what its type says
   */
  public Optional<Template> read(byte[] body) {
    Template template;
    try {
      template = syntax.read(decode(body), charset.orElseThrow(CharacterCodingException::new));
    } catch (CharacterCodingException undecodable) {
      requireNoExpression(body);
      return Optional.empty();
    }
    return Optional.of(template).filter(Template::hasSlots);
  }

  private String decode(byte[] body) throws CharacterCodingException {
    return charset
        .orElseThrow(CharacterCodingException::new)
        .newDecoder()
        .onMalformedInput(CodingErrorAction.REPORT)
        .onUnmappableCharacter(CodingErrorAction.REPORT)
        .decode(ByteBuffer.wrap(body))
        .toString();
  }

  private void requireNoExpression(byte[] body) {
    Charset lenient = charset.orElse(StandardCharsets.ISO_8859_1);
    ExpressionWatch watch = syntax.watch();
    if (new String(body, lenient).chars().anyMatch(each -> watch.sees((char) each))) {
      throw ValidationException.of(
          "error", "The body holds an expression, but it is not text in its charset.");
    }
  }

  /**
   * The bytes of a filled template.
   *
   * @throws ValidationException if the charset cannot express them
   */
  public byte[] encode(String filled) {
    try {
      ByteBuffer bytes =
          charset
              .orElseThrow()
              .newEncoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .onUnmappableCharacter(CodingErrorAction.REPORT)
              .encode(CharBuffer.wrap(filled));
      byte[] exact = new byte[bytes.remaining()];
      bytes.get(exact);
      return exact;
    } catch (CharacterCodingException unencodable) {
      throw ValidationException.of(
          "error", "The data of a token cannot be written in the charset of the body.");
    }
  }

  /** Watches for expressions in a body that is too large to hold. */
  public WatchedBytes watch() {
    return new WatchedBytes(charset.orElse(StandardCharsets.ISO_8859_1), syntax.watch());
  }
}
