package io.tokenvault.engine.expression;

import io.tokenvault.domain.failure.ValidationException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/** A body of characters in one charset: the one that is named, else what the syntax says. */
final class CharacterBody implements TextualBody {

  private final BodySyntax syntax;
  private final MediaType type;

  CharacterBody(BodySyntax syntax, MediaType type) {
    this.syntax = syntax;
    this.type = type;
  }

  @Override
  public Optional<BodyTemplate> read(byte[] body) {
    Optional<Charset> charset = charset(body);
    if (charset.isPresent() && !syntax.opening().mayBeIn(body, charset.get())) {
      return Optional.empty();
    }
    try {
      Charset exact = ByteOrder.exact(charset.orElseThrow(CharacterCodingException::new), body);
      return read(decode(body, exact), exact, body);
    } catch (CharacterCodingException undecodable) {
      requireNoExpression(body, charset);
      return Optional.empty();
    }
  }

  private Optional<Charset> charset(byte[] body) {
    if (type.namesCharset()) {
      return type.charset();
    }
    return syntax == BodySyntax.XML ? XmlCharset.of(body) : Optional.of(StandardCharsets.UTF_8);
  }

  private Optional<BodyTemplate> read(String text, Charset charset, byte[] body)
      throws CharacterCodingException {
    Template template = syntax.read(text, charset);
    if (!template.hasSlots()) {
      return Optional.empty();
    }
    if (!charset.equals(StandardCharsets.UTF_8) && !Arrays.equals(encode(text, charset), body)) {
      throw ValidationException.of(
          "error", "The body cannot be changed in its charset without changing all of it.");
    }
    return Optional.of(new Filled(template, charset));
  }

  private static String decode(byte[] body, Charset charset) throws CharacterCodingException {
    return charset
        .newDecoder()
        .onMalformedInput(CodingErrorAction.REPORT)
        .onUnmappableCharacter(CodingErrorAction.REPORT)
        .decode(ByteBuffer.wrap(body))
        .toString();
  }

  private static byte[] encode(String text, Charset charset) throws CharacterCodingException {
    ByteBuffer bytes =
        charset
            .newEncoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT)
            .encode(CharBuffer.wrap(text));
    byte[] exact = new byte[bytes.remaining()];
    bytes.get(exact);
    return exact;
  }

  private void requireNoExpression(byte[] body, Optional<Charset> charset) {
    if (watch(charset).see(body, 0, body.length)) {
      throw ValidationException.of(
          "error", "The body holds an expression, but it is not text in its charset.");
    }
  }

  @Override
  public WatchedBytes watch() {
    return type.namesCharset() || syntax != BodySyntax.XML
        ? watch(charset(new byte[0]))
        : new WatchedXml(this::watch);
  }

  private WatchedBytes watch(Optional<Charset> charset) {
    return new WatchedText(charset.orElse(StandardCharsets.ISO_8859_1), syntax.watch());
  }

  private record Filled(Template text, Charset charset) implements BodyTemplate {

    @Override
    public Set<String> tokenIds() {
      return text.tokenIds();
    }

    @Override
    public byte[] fill(TokenValues values) {
      try {
        return encode(text.fill(values), charset);
      } catch (CharacterCodingException unencodable) {
        throw ValidationException.of(
            "error", "The data of a token cannot be written in the charset of the body.");
      }
    }
  }
}
