package io.tokenvault.engine.expression;

import io.tokenvault.domain.failure.ValidationException;
import java.nio.charset.Charset;
import java.util.Optional;
import java.util.function.Supplier;

/** How expressions stand in a body, one constant for each family of media types. */
enum BodySyntax {
  JSON(JsonText::read, JsonWatch::new),
  FORM(PercentEncodedText::form, FormWatch::new),
  TEXT((text, charset) -> Template.ofText(text), TextWatch::new),
  XML(BodySyntax::refuseExpressions, TextWatch::new),
  MULTIPART(BodySyntax::refuseExpressions, TextWatch::new);

  /** Finds the expressions of a body of this syntax. */
  @FunctionalInterface
  private interface Reader {
    Template read(String text, Charset charset);
  }

  private final Reader reader;
  private final Supplier<ExpressionWatch> watch;

  BodySyntax(Reader reader, Supplier<ExpressionWatch> watch) {
    this.reader = reader;
    this.watch = watch;
  }

  /** Empty if bodies of this type are opaque. */
  static Optional<BodySyntax> of(MediaType type) {
    if (type.isJson()) {
      return Optional.of(JSON);
    }
    if (type.isXml()) {
      return Optional.of(XML);
    }
    if (type.isForm()) {
      return Optional.of(FORM);
    }
    if (type.isMultipart()) {
      return Optional.of(MULTIPART);
    }
    return type.isText() ? Optional.of(TEXT) : Optional.empty();
  }

  private static Template refuseExpressions(String text, Charset charset) {
    if (Span.next(text, 0).isPresent()) {
      throw ValidationException.of(
          "error", "Expressions in XML and multipart bodies are not supported yet.");
    }
    return Template.ofLiteral(text);
  }

  /**
   * @param charset that the filled template will be written in
   * @throws ValidationException if there are expressions and the text is not of this syntax
   */
  Template read(String text, Charset charset) {
    return reader.read(text, charset);
  }

  ExpressionWatch watch() {
    return watch.get();
  }
}
