package io.tokenvault.engine.expression;

import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.engine.expression.CharsetScanner.ExpressionDetector;
import io.tokenvault.engine.expression.JsonBodySyntax.JsonScanner;
import io.tokenvault.engine.expression.template.Template;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * Syntax of expressions in a body of characters, with one constant for each family of media types.
 */
enum BodySyntax {
  JSON(JsonBodySyntax::read, JsonScanner::new, "\\u007b"),
  FORM(PercentEncodedText::form, FormScanner::new, "%7b"),
  TEXT((text, charset) -> Template.ofText(text), TextScanner::new, ""),
  XML(XmlBodySyntax::read, XmlScanner::new, "");

  /** Charsets that encode each ASCII character as the byte of its code. */
  private static final Set<Charset> BYTE_FOR_ASCII =
      Set.of(StandardCharsets.UTF_8, StandardCharsets.US_ASCII, StandardCharsets.ISO_8859_1);

  /** Finds the expressions in a text that is encoded in a charset. */
  private final BiFunction<String, Charset, Template> reader;

  private final Supplier<ExpressionDetector> scanner;

  /** Escape sequence of an opening brace, in lower case; empty if there is none. */
  private final byte[] escapedBrace;

  BodySyntax(
      BiFunction<String, Charset, Template> reader,
      Supplier<ExpressionDetector> scanner,
      String escapedBrace) {
    this.reader = reader;
    this.scanner = scanner;
    this.escapedBrace = escapedBrace.getBytes(StandardCharsets.US_ASCII);
  }

  /** Returns the syntax of a media type; empty if its bodies are binary or multipart. */
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
   * Finds the expressions in a text.
   *
   * @param charset in which the rendered template will be encoded
   * @throws ValidationException if there are expressions and the text does not have this syntax
   */
  Template read(String text, Charset charset) {
    return reader.apply(text, charset);
  }

  /**
   * Returns the charset of a body: the one that its type names, or else the default of the syntax,
   * which for XML depends on the body.
   *
   * @return empty if it is unknown or contradicts the body
   */
  Optional<Charset> charset(MediaType type, byte[] body) {
    if (type.namesCharset()) {
      return type.charset();
    }
    return this == XML ? BodyCharset.ofXml(body) : Optional.of(StandardCharsets.UTF_8);
  }

  /** Returns a scanner for a body that is too long to buffer. */
  ExpressionDetector scanner() {
    return scanner.get();
  }

  /**
   * Returns false only if a body surely contains no two opening braces in a row, with which every
   * expression of this syntax starts. Most bodies have none and need not be decoded.
   */
  boolean mayHoldExpression(byte[] body, Charset charset) {
    return !BYTE_FOR_ASCII.contains(charset) || hasAdjacentBraces(body);
  }

  /** Returns whether two braces, escaped or not, are adjacent. */
  private boolean hasAdjacentBraces(byte[] bytes) {
    int at = 0;
    while (at < bytes.length) {
      int first = width(bytes, at);
      if (first > 0 && width(bytes, at + first) > 0) {
        return true;
      }
      at += Math.max(first, 1);
    }
    return false;
  }

  /** Returns the number of bytes of the brace at an index; 0 if there is no brace. */
  private int width(byte[] bytes, int at) {
    if (at < bytes.length && bytes[at] == '{') {
      return 1;
    }
    return at + escapedBrace.length <= bytes.length && isEscaped(bytes, at)
        ? escapedBrace.length
        : 0;
  }

  /** Returns whether the escape sequence is at an index, in any case. */
  private boolean isEscaped(byte[] bytes, int at) {
    for (int i = 0; i < escapedBrace.length; i++) {
      if (Character.toLowerCase((char) (bytes[at + i] & 0xff)) != escapedBrace[i]) {
        return false;
      }
    }
    return escapedBrace.length > 0;
  }

  /** Scans the percent-decoded names and values of a form. */
  private static final class FormScanner implements ExpressionDetector {
    private final TextScanner content = new TextScanner();
    private int digitsLeft;
    private int value;
    private boolean inName = true;

    @Override
    public boolean scan(char next) {
      if (digitsLeft > 0) {
        return digit(next);
      }
      if (next == '%') {
        digitsLeft = 2;
        value = 0;
        return false;
      }
      if (next == '&' || (next == '=' && inName)) {
        inName = next == '&';
        content.reset();
        return false;
      }
      return content.scan(next == '+' ? ' ' : next);
    }

    /** Consumes a hexadecimal digit of a percent-encoded byte. */
    private boolean digit(char next) {
      int digit = Character.digit(next, 16);
      if (digit < 0) {
        digitsLeft = 0;
        return content.scan('%') || scan(next);
      }
      value = value * 16 + digit;
      digitsLeft--;
      return digitsLeft == 0 && content.scan((char) value);
    }
  }

  /**
   * Scans text, attribute values and CDATA sections. The rest of tags is scanned too, so that
   * malformed XML cannot hide an expression there.
   */
  static final class XmlScanner implements ExpressionDetector {
    private final XmlLexer lexer = new XmlLexer();
    private final TextScanner content = new TextScanner();
    private XmlLexer.Region region = XmlLexer.Region.TEXT;

    @Override
    public boolean scan(char next) {
      XmlLexer.Region current = lexer.next(next);
      if (current != region) {
        region = current;
        content.reset();
      }
      return region != XmlLexer.Region.OPAQUE && content.scan(next);
    }
  }
}
