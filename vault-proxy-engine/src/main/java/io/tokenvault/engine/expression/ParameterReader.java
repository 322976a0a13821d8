package io.tokenvault.engine.expression;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reads the parameters of a content type (RFC 9110, section 5.6.6) in one pass. For one text. */
final class ParameterReader {

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
        name, Optional.of(value), (first, other) -> first.equals(other) ? first : Optional.empty());
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
