package io.tokenvault.engine.expression;

import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a content type says about a body.
 *
 * @param name type and subtype in lower case
 * @param charset UTF-8 where none is named; empty if the one named is unknown here
 */
record MediaType(String name, Optional<Charset> charset) {

  private static final Pattern CHARSET =
      Pattern.compile("(?i);\\s*charset\\s*=\\s*(?:\"([^\"]*)\"|([^;\\s\"]+))");

  static MediaType parse(String contentType) {
    String name = contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    return new MediaType(name, charset(contentType));
  }

  private static Optional<Charset> charset(String contentType) {
    Matcher named = CHARSET.matcher(contentType);
    if (!named.find()) {
      return Optional.of(StandardCharsets.UTF_8);
    }
    String charset = named.group(1) == null ? named.group(2) : named.group(1);
    try {
      return Optional.of(Charset.forName(charset.strip())).filter(Charset::canEncode);
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
