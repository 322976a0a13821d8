package io.tokenvault.adapters.http.request;

import io.tokenvault.adapters.http.response.ApiResponse;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The content types that a route accepts for JSON in UTF-8 (RFC 8259). A body without a content
 * type counts as JSON.
 */
enum JsonContentType {
  /** {@code application/json}, or any {@code application} type with the suffix {@code +json}. */
  JSON(ApiResponse.JSON),

  /** A JSON merge patch (RFC 7386), which may also be declared as {@code application/json}. */
  MERGE_PATCH("application/merge-patch+json");

  /** The accepted charsets. US-ASCII is a subset of UTF-8. */
  private static final Set<String> CHARSETS = Set.of("utf-8", "utf8", "us-ascii", "ascii");

  /** A parameter, with its name and value. The value may contain semicolons within quotes. */
  private static final Pattern PARAMETER =
      Pattern.compile(";([^;=]*)(?:=((?:\"(?:[^\"\\\\]|\\\\.)*+\"|[^;])*+))?");

  private final String text;

  JsonContentType(String text) {
    this.text = text;
  }

  /** Returns the recommended content type, for error messages. */
  String text() {
    return text;
  }

  /**
   * Returns whether a body with this header is accepted.
   *
   * @param contentType the header's value; null if there is none
   */
  boolean fits(String contentType) {
    if (contentType == null || contentType.isBlank()) {
      return true;
    }
    String type = contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    boolean isJson =
        type.equals(ApiResponse.JSON)
            || type.equals(text)
            || (this == JSON && type.startsWith("application/") && type.endsWith("+json"));
    return isJson && isUtf8(contentType);
  }

  /**
   * Returns whether all {@code charset} parameters are accepted. Unknown charsets are rejected
   * without looking them up.
   */
  private static boolean isUtf8(String contentType) {
    return PARAMETER
        .matcher(contentType)
        .results()
        .filter(parameter -> parameter.group(1).strip().equalsIgnoreCase("charset"))
        .map(parameter -> String.valueOf(parameter.group(2)).strip())
        .allMatch(value -> CHARSETS.contains(unquoted(value)));
  }

  private static String unquoted(String value) {
    boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
    return (quoted ? value.substring(1, value.length() - 1) : value).toLowerCase(Locale.ROOT);
  }
}
