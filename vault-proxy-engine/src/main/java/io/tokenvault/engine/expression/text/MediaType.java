package io.tokenvault.engine.expression.text;

import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What a content type says about a body.
 *
 * @param name type and subtype in lower case
 * @param parameters by name in lower case, unquoted; empty where one is given twice and differently
 */
public record MediaType(String name, Map<String, Optional<String>> parameters) {

  public MediaType {
    parameters = Map.copyOf(parameters);
  }

  public static MediaType parse(String contentType) {
    String[] parts = contentType.split(";", 2);
    return new MediaType(
        parts[0].strip().toLowerCase(Locale.ROOT),
        parts.length == 1 ? Map.of() : ParameterReader.read(parts[1]));
  }

  /** Empty if it is missing, or given twice and differently. */
  public Optional<String> parameter(String parameter) {
    return parameters.getOrDefault(parameter, Optional.empty());
  }

  /** Whether it is given in the form of RFC 2231, which some read and others do not. */
  public boolean isExtended(String parameter) {
    return parameters.keySet().stream().anyMatch(name -> name.startsWith(parameter + "*"));
  }

  public boolean namesCharset() {
    return parameters.containsKey("charset");
  }

  /** The charset that is named; empty if it is unknown here. */
  public Optional<Charset> charset() {
    return parameter("charset").flatMap(MediaType::charset);
  }

  /** Empty if there is none of that name here, or it cannot be written. */
  public static Optional<Charset> charset(String named) {
    try {
      return Optional.of(Charset.forName(named.strip())).filter(Charset::canEncode);
    } catch (IllegalCharsetNameException | UnsupportedCharsetException unknown) {
      return Optional.empty();
    }
  }

  public boolean isJson() {
    return name.equals("application/json") || name.equals("text/json") || name.endsWith("+json");
  }

  public boolean isXml() {
    return name.equals("application/xml") || name.equals("text/xml") || name.endsWith("+xml");
  }

  public boolean isForm() {
    return name.equals("application/x-www-form-urlencoded");
  }

  public boolean isMultipart() {
    return name.startsWith("multipart/");
  }

  public boolean isText() {
    return name.startsWith("text/");
  }

  /** Reads the parameters of a content type (RFC 9110, section 5.6.6) in one pass. For one text. */
  private static final class ParameterReader {

    private final String text;
    private final Map<String, Optional<String>> parameters = new HashMap<>();
    private int at;

    private ParameterReader(String text) {
      this.text = text;
    }

    /**
     * By name in lower case; empty where one is given twice and differently.
     *
     * @param text what stands after the first semicolon
     */
    static Map<String, Optional<String>> read(String text) {
      ParameterReader reader = new ParameterReader(text);
      while (reader.at < text.length()) {
        reader.readParameter();
      }
      return reader.parameters;
    }

    private void readParameter() {
      int start = at;
      while (at < text.length() && text.charAt(at) != '=' && text.charAt(at) != ';') {
        at++;
      }
      String name = text.substring(start, at).strip().toLowerCase(Locale.ROOT);
      if (at < text.length() && text.charAt(at) == '=') {
        at++;
        add(name, value());
      }
      at++;
    }

    private void add(String name, String value) {
      parameters.merge(
          name,
          Optional.of(value),
          (first, other) -> first.equals(other) ? first : Optional.empty());
    }

    private String value() {
      int start = at;
      while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
        at++;
      }
      if (at < text.length() && text.charAt(at) == '"') {
        at++;
        String quoted = quoted();
        skipToSemicolon();
        return quoted;
      }
      skipToSemicolon();
      return text.substring(start, at).strip();
    }

    private String quoted() {
      StringBuilder value = new StringBuilder();
      while (at < text.length() && text.charAt(at) != '"') {
        boolean escape = text.charAt(at) == '\\' && at + 1 < text.length();
        at += escape ? 1 : 0;
        value.append(text.charAt(at));
        at++;
      }
      return value.toString();
    }

    private void skipToSemicolon() {
      while (at < text.length() && text.charAt(at) != ';') {
        at++;
      }
    }
  }
}
