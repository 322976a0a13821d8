package io.tokenvault.engine.expression;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.engine.expression.CharsetScanner.ExpressionDetector;
import io.tokenvault.engine.expression.template.Expression;
import io.tokenvault.engine.expression.template.ExpressionSpan;
import io.tokenvault.engine.expression.template.JsonText;
import io.tokenvault.engine.expression.template.Template;
import io.tokenvault.engine.expression.template.TokenValues;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * Syntax of expressions in JSON text.
 *
 * <p>Expressions are replaced inside of string values, after unescaping. An expression that is a
 * whole string value becomes the token's JSON value; within a longer string, it becomes the value's
 * text. Strings without an expression, and all property names, are unchanged.
 *
 * <pre>
 * {"amount": "{{ 1d2e }}", "note": "card {{ 7f3a | last4 }}"}
 * {"amount": 12.50, "note": "card 4242"}
 * </pre>
 */
final class JsonBodySyntax {

  private static final JsonFactory JSON = JsonText.factory(10_000);
  private static final Pattern ESCAPED_OPEN = Pattern.compile("\\\\u007[bB]");
  private static final Pattern ESCAPED_CLOSE = Pattern.compile("\\\\u007[dD]");
  private static final HexFormat HEX = HexFormat.of();
  private static final char BYTE_ORDER_MARK = '\ufeff';

  private final BodyCharset repertoire;

  /** Creates a syntax for a charset, whose missing characters are escaped. */
  private JsonBodySyntax(BodyCharset repertoire) {
    this.repertoire = repertoire;
  }

  /**
   * Finds the expressions in a text.
   *
   * @param charset in which the result will be encoded; characters that it lacks are escaped
   * @throws ValidationException if the text contains an expression and is not valid JSON
   */
  static Template read(String text, Charset charset) {
    // With escaped braces replaced, to find out whether there may be an expression.
    String unescaped =
        text.indexOf('\\') < 0
            ? text
            : ESCAPED_CLOSE.matcher(ESCAPED_OPEN.matcher(text).replaceAll("{")).replaceAll("}");
    if (ExpressionSpan.next(unescaped, 0).isEmpty()) {
      return Template.ofLiteral(text);
    }
    try {
      return new JsonBodySyntax(new BodyCharset(charset)).parse(text);
    } catch (JsonProcessingException malformed) {
      // The cause is omitted because it quotes the body.
      throw ValidationException.of(
          "error", "The body contains an expression, but is not valid JSON.");
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** Reads the string values of a single JSON value, optionally after a byte order mark. */
  private Template parse(String text) throws IOException {
    boolean marked = text.charAt(0) == BYTE_ORDER_MARK;
    String json = marked ? text.substring(1) : text;
    Template.Builder template = new Template.Builder().literal(marked ? text.substring(0, 1) : "");
    int done = 0;
    try (JsonParser parser = JSON.createParser(json)) {
      boolean complete = false;
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (complete) {
          throw new JsonParseException(parser, "a second value");
        }
        if (token == JsonToken.VALUE_STRING) {
          done = readString(parser, json, done, template);
        }
        complete = parser.getParsingContext().inRoot();
      }
    }
    return template.literal(json.substring(done)).build();
  }

  /**
   * Adds a string value if it contains an expression.
   *
   * @return the index up to which the text was added to the template
   */
  private int readString(JsonParser parser, String json, int done, Template.Builder template)
      throws IOException {
    int start = (int) parser.currentTokenLocation().getCharOffset();
    String content = parser.getText();
    if (ExpressionSpan.next(content, 0).isEmpty()) {
      return done;
    }
    template.literal(json.substring(done, start));
    writeString(content, template);
    return (int) parser.currentLocation().getCharOffset();
  }

  /** Adds a slot for a JSON value, or a string with slots for text. */
  private void writeString(String content, Template.Builder template) {
    ExpressionSpan first = ExpressionSpan.next(content, 0).orElseThrow();
    if (first.covers(content)) {
      template.slot(content.substring(first.innerStart(), first.innerEnd()), this::json);
      return;
    }
    template.literal("\"").text(content, this::escape, this::text).literal("\"");
  }

  /** Returns the token's JSON, with escape sequences for characters that the charset lacks. */
  private String json(TokenValues values, Expression expression) {
    String json = values.json(expression);
    if (json.codePoints().allMatch(repertoire::has)) {
      return json;
    }
    StringBuilder encodable = new StringBuilder(json.length());
    json.codePoints().forEach(character -> appendEncodable(encodable, character));
    return encodable.toString();
  }

  /** Returns the token's text, escaped for a JSON string. */
  private String text(TokenValues values, Expression expression) {
    return escape(values.text(expression));
  }

  private String escape(String content) {
    if (content.codePoints().allMatch(this::isLiteral)) {
      return content;
    }
    StringBuilder escaped = new StringBuilder(content.length() + 16);
    content.codePoints().forEach(character -> appendEscaped(escaped, character));
    return escaped.toString();
  }

  /** Returns whether a character needs no escape sequence in a string. */
  private boolean isLiteral(int character) {
    return character >= ' ' && character != '"' && character != '\\' && repertoire.has(character);
  }

  private void appendEscaped(StringBuilder escaped, int character) {
    if (character == '"' || character == '\\') {
      escaped.append('\\').append((char) character);
    } else if (character < ' ') {
      appendUnicodeEscape(escaped, (char) character);
    } else {
      appendEncodable(escaped, character);
    }
  }

  /**
   * Appends a character, or its escape sequence if the charset lacks it or it is a lone surrogate.
   * Such characters occur in strings only.
   */
  private void appendEncodable(StringBuilder text, int character) {
    if (repertoire.has(character)) {
      text.appendCodePoint(character);
      return;
    }
    if (Character.isBmpCodePoint(character)) {
      appendUnicodeEscape(text, (char) character);
    } else {
      appendUnicodeEscape(text, Character.highSurrogate(character));
      appendUnicodeEscape(text, Character.lowSurrogate(character));
    }
  }

  /** Appends an escape sequence with four hexadecimal digits. */
  private static void appendUnicodeEscape(StringBuilder text, char character) {
    HEX.toHexDigits(text.append("\\u"), (byte) (character >> Byte.SIZE));
    HEX.toHexDigits(text, (byte) character);
  }

  /**
   * Scans the string values of JSON, unescaped. Property names are ignored. Characters outside of
   * strings are scanned too, so that malformed JSON cannot hide an expression: in valid JSON, the
   * only adjacent braces there are closing ones or a pair that opens and closes.
   */
  static final class JsonScanner implements ExpressionDetector {

    /**
     * Nesting depth beyond which property names are scanned like values; no such body is replaced.
     */
    private static final int MAX_DEPTH = 10_000;

    private static final int UNICODE_DIGITS = 4;

    private final TextScanner content = new TextScanner();
    private final TextScanner outside = new TextScanner();
    private final BitSet objects = new BitSet();
    private int depth;
    private boolean nameIsNext;
    private boolean inString;
    private boolean escaped;
    private int digitsLeft;
    private int unicode;

    @Override
    public boolean scan(char next) {
      if (digitsLeft > 0) {
        return digit(next);
      }
      if (escaped) {
        return escape(next);
      }
      if (next == '"') {
        inString = !inString;
        content.reset();
        return outside.scan(next);
      }
      return inString ? string(next) : structure(next);
    }

    private boolean string(char next) {
      escaped = next == '\\';
      return !escaped && character(next);
    }

    /** Scans an unescaped character unless it belongs to a property name. */
    private boolean character(char next) {
      return content.scan(next) && !(nameIsNext && depth <= MAX_DEPTH);
    }

    /**
     * Consumes the character after a backslash. Other escape sequences than Unicode ones stand for
     * no brace.
     */
    private boolean escape(char next) {
      escaped = false;
      if (next == 'u') {
        digitsLeft = UNICODE_DIGITS;
        unicode = 0;
        return false;
      }
      return character(next);
    }

    /** Consumes a digit of a Unicode escape sequence. */
    private boolean digit(char next) {
      unicode = unicode * 16 + Math.max(0, Character.digit(next, 16));
      digitsLeft--;
      return digitsLeft == 0 && character((char) unicode);
    }

    /** Consumes a character outside of strings. */
    private boolean structure(char next) {
      switch (next) {
        case '{', '[' -> enter(next == '{');
        case '}', ']' -> depth = Math.max(0, depth - 1);
        case ':' -> nameIsNext = false;
        case ',' -> nameIsNext = depth <= MAX_DEPTH && objects.get(depth);
        default -> {}
      }
      return outside.scan(next);
    }

    private void enter(boolean object) {
      depth++;
      nameIsNext = object;
      if (depth <= MAX_DEPTH) {
        objects.set(depth, object);
      }
    }
  }
}
