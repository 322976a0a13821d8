package io.tokenvault.engine.expression.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.engine.expression.template.Expression;
import io.tokenvault.engine.expression.template.ExpressionSpan;
import io.tokenvault.engine.expression.template.Template;
import io.tokenvault.engine.expression.template.TokenValues;
import io.tokenvault.engine.expression.text.CharsetRepertoire;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * JSON text, in which expressions count inside string values, after unescaping. An expression that
 * is a whole string value becomes the token's JSON value, inside a longer string its text; only the
 * strings that hold expressions change.
 */
public final class JsonBodySyntax {

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(10_000)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .build())
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .build();
  private static final Pattern ESCAPED_OPEN = Pattern.compile("\\\\u007[bB]");
  private static final Pattern ESCAPED_CLOSE = Pattern.compile("\\\\u007[dD]");
  private static final HexFormat HEX = HexFormat.of();
  private static final char BYTE_ORDER_MARK = '\ufeff';

  private final CharsetRepertoire repertoire;

  private JsonBodySyntax(CharsetRepertoire repertoire) {
    this.repertoire = repertoire;
  }

  /**
   * @param charset that the result will be written in; what it lacks is escaped
   * @throws ValidationException if the text is not JSON and holds an expression
   */
  public static Template read(String text, Charset charset) {
    String unescaped = unescapeBraces(text);
    if (ExpressionSpan.next(unescaped, 0).isEmpty()) {
      return Template.ofLiteral(text);
    }
    try {
      return new JsonBodySyntax(new CharsetRepertoire(charset)).parse(text);
    } catch (JsonProcessingException malformed) {
      // Without the cause, which quotes the body.
      throw ValidationException.of(
          "error", "The body holds an expression, but it is not the JSON that its type announces.");
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private static String unescapeBraces(String text) {
    return text.indexOf('\\') < 0
        ? text
        : ESCAPED_CLOSE.matcher(ESCAPED_OPEN.matcher(text).replaceAll("{")).replaceAll("}");
  }

  private Template parse(String text) throws IOException {
    boolean marked = text.charAt(0) == BYTE_ORDER_MARK;
    String json = marked ? text.substring(1) : text;
    Template.Builder template = new Template.Builder().literal(marked ? text.substring(0, 1) : "");
    int done = 0;
    try (JsonParser parser = JSON.createParser(new StringReader(json))) {
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

  /** Returns how far the template has come. */
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

  private void writeString(String content, Template.Builder template) {
    ExpressionSpan first = ExpressionSpan.next(content, 0).orElseThrow();
    if (first.covers(content)) {
      template.slot(content.substring(first.innerStart(), first.innerEnd()), this::json);
      return;
    }
    template.literal("\"").text(content, this::escape, this::text).literal("\"");
  }

  private String json(TokenValues values, Expression expression) {
    String json = values.json(expression);
    if (json.codePoints().allMatch(repertoire::has)) {
      return json;
    }
    StringBuilder encodable = new StringBuilder(json.length());
    json.codePoints().forEach(character -> appendEncodable(encodable, character));
    return encodable.toString();
  }

  private String text(TokenValues values, Expression expression) {
    return escape(values.text(expression));
  }

  private String escape(String content) {
    if (content.codePoints().allMatch(this::standsForItself)) {
      return content;
    }
    StringBuilder escaped = new StringBuilder(content.length() + 16);
    content.codePoints().forEach(character -> appendEscaped(escaped, character));
    return escaped.toString();
  }

  private boolean standsForItself(int character) {
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

  /** Characters that the charset lacks, which stand in strings only, and lone surrogates. */
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

  private static void appendUnicodeEscape(StringBuilder text, char character) {
    HEX.toHexDigits(text.append("\\u"), (byte) (character >> Byte.SIZE));
    HEX.toHexDigits(text, (byte) character);
  }
}
