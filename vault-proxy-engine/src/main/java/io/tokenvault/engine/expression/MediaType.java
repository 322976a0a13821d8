package io.tokenvault.engine.expression;

import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What a content type says about a body.
 *
 * @param name type and subtype in lower case
 * @param parameters by name in lower case, unquoted; empty where one is given twice and differently
 */
record MediaType(String name, Map<String, Optional<String>> parameters) {

  MediaType {
    parameters = Map.copyOf(parameters);
  }

  static MediaType parse(String contentType) {
    String[] parts = contentType.split(";", 2);
    return new MediaType(
        parts[0].strip().toLowerCase(Locale.ROOT),
        ParameterReader.read(parts.length == 1 ? "" : parts[1]));
  }

  /** Empty if it is missing, or given twice and differently. */
  Optional<String> parameter(String parameter) {
    return parameters.getOrDefault(parameter, Optional.empty());
  }

  /** Whether it is given in the form of RFC 2231, which some read and others do not. */
  boolean isExtended(String parameter) {
    return parameters.keySet().stream().anyMatch(name -> name.startsWith(parameter + "*"));
  }

  boolean namesCharset() {
    return parameters.containsKey("charset");
  }

  /** The charset that is named; empty if it is unknown here. */
  Optional<Charset> charset() {
    return parameter("charset").flatMap(MediaType::charset);
  }

  /** Empty if there is none of that name here, or it cannot be written. */
  static Optional<Charset> charset(String named) {
    try {
      return Optional.of(Charset.forName(named.strip())).filter(Charset::canEncode);
    } catch (IllegalCharsetNameException | UnsupportedCharsetException unknown) {
      return Optional.empty();
    }
  }

  boolean isJson() {
    return name.equals("application/json") || name.equals("text/json") || name.endsWith("+json");
  }

  boolean isXml() {
    return name.equals("application/xml") || name.equals("text/xml") || name.endsWith("+xml");
  }

  boolean isForm() {
    return name.equals("application/x-www-form-urlencoded");
  }

  boolean isMultipart() {
    return name.startsWith("multipart/");
  }

  boolean isText() {
    return name.startsWith("text/");
  }
}
