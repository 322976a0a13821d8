package io.tokenvault.engine.expression;

import io.tokenvault.engine.filter.TextCursor;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The media type in a {@code Content-Type} header (RFC 9110, section 8.3.1). Malformed parameters
 * are tolerated; contradictory ones count as missing values.
 *
 * @param name type and subtype in lower case
 * @param parameters unquoted values by name in lower case; empty for a parameter with different
 *     values
 */
record MediaType(String name, Map<String, Optional<String>> parameters) {

  MediaType {
    parameters = Map.copyOf(parameters);
  }

  /** Parses the value of a {@code Content-Type} header. */
  static MediaType parse(String contentType) {
    String[] parts = contentType.split(";", 2);
    return new MediaType(
        parts[0].strip().toLowerCase(Locale.ROOT),
        parts.length == 1 ? Map.of() : readParameters(parts[1]));
  }

  /** Returns a parameter; empty if it is missing or has different values. */
  Optional<String> parameter(String parameter) {
    return parameters.getOrDefault(parameter, Optional.empty());
  }

  /**
   * Returns whether a parameter is in the extended syntax of RFC 2231, which not every
   * implementation supports.
   */
  boolean isExtended(String parameter) {
    return parameters.keySet().stream().anyMatch(name -> name.startsWith(parameter + "*"));
  }

  /** Returns whether there is a charset parameter, even an unknown or contradictory one. */
  boolean namesCharset() {
    return parameters.containsKey("charset");
  }

  /** Returns the charset that is named; empty if it is unknown. */
  Optional<Charset> charset() {
    return parameter("charset").flatMap(MediaType::charset);
  }

  /** Returns the charset of a name; empty if it is unknown or can only decode. */
  static Optional<Charset> charset(String named) {
    try {
      return Optional.of(Charset.forName(named.strip())).filter(Charset::canEncode);
    } catch (IllegalCharsetNameException | UnsupportedCharsetException unknown) {
      return Optional.empty();
    }
  }

  /** Returns whether bodies are JSON, including types with the suffix {@code +json}. */
  boolean isJson() {
    return name.equals("application/json") || name.equals("text/json") || name.endsWith("+json");
  }

  /** Returns whether bodies are XML, including types with the suffix {@code +xml}. */
  boolean isXml() {
    return name.equals("application/xml") || name.equals("text/xml") || name.endsWith("+xml");
  }

  boolean isForm() {
    return name.equals("application/x-www-form-urlencoded");
  }

  boolean isMultipart() {
    return name.startsWith("multipart/");
  }

  /** Returns whether the top-level type is {@code text}; this includes {@code text/xml}. */
  boolean isText() {
    return name.startsWith("text/");
  }

  /**
   * Reads the parameters of a content type (RFC 9110, section 5.6.6) in one pass.
   *
   * @param text the text after the first semicolon
   * @return the values by name in lower case; empty for a parameter with different values
   */
  private static Map<String, Optional<String>> readParameters(String text) {
    Map<String, Optional<String>> parameters = new HashMap<>();
    TextCursor cursor = new TextCursor(text);
    while (!cursor.atEnd()) {
      String name = cursor.takeWhile(each -> each != '=' && each != ';').strip();
      if (cursor.take('=')) {
        parameters.merge(
            name.toLowerCase(Locale.ROOT),
            Optional.of(readValue(cursor)),
            (first, other) -> first.equals(other) ? first : Optional.empty());
      }
      cursor.take(';');
    }
    return parameters;
  }

  /** Reads a value, quoted or not, up to the next semicolon. */
  private static String readValue(TextCursor cursor) {
    boolean isQuoted = cursor.takeNext('"');
    String quoted = isQuoted ? readQuoted(cursor) : "";
    String rest = cursor.takeWhile(each -> each != ';');
    return isQuoted ? quoted : rest.strip();
  }

  /** Reads a quoted value up to its end, in which a backslash escapes the next character. */
  private static String readQuoted(TextCursor cursor) {
    StringBuilder value = new StringBuilder();
    while (!cursor.atEnd() && cursor.peek() != '"') {
      char next = cursor.next();
      value.append(next == '\\' && !cursor.atEnd() ? cursor.next() : next);
    }
    return value.toString();
  }
}
