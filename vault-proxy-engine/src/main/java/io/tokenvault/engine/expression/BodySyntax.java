package io.tokenvault.engine.expression;

import io.tokenvault.domain.failure.ValidationException;
import java.nio.charset.Charset;
import java.util.Optional;
import java.util.function.Supplier;

/** How expressions stand in a body of characters, one constant for each family of media types. */
enum BodySyntax {
  JSON(JsonText::read, JsonWatch::new, "\\u007b"),
  FORM(PercentEncodedText::form, FormWatch::new, "%7b"),
  TEXT((text, charset) -> Template.ofText(text), TextWatch::new, ""),
  XML(XmlText::read, XmlWatch::new, "");

  /** Finds the expressions of a body of this syntax. */
  @FunctionalInterface
  private interface Reader {
    Template read(String text, Charset charset);
  }

  private final Reader reader;
  private final Supplier<ExpressionWatch> watch;
  private final OpeningBraces opening;

  BodySyntax(Reader reader, Supplier<ExpressionWatch> watch, String escapedBrace) {
    this.reader = reader;
    this.watch = watch;
    this.opening = new OpeningBraces(escapedBrace);
  }

  /** Empty if bodies of this type are no text, or are made of parts. */
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
    return type.isText() ? Optional.of(TEXT) : Optional.empty();
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

  /** What no expression of this syntax is without. */
  OpeningBraces opening() {
    return opening;
  }
}
