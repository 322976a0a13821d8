package io.tokenvault.adapters.http.request;

import io.tokenvault.adapters.http.response.ApiResponse;
import java.util.Locale;
import java.util.Set;

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
    return contentType == null
        || contentType.isBlank()
        || (fitsEssence(essence(contentType)) && isUtf8(contentType));
  }

  /**
   * Returns whether a type is accepted.
   *
   * @param type in lower case, without parameters
   */
  private boolean fitsEssence(String type) {
    return type.equals(ApiResponse.JSON)
        || type.equals(text)
        || (this == JSON && type.startsWith("application/") && type.endsWith("+json"));
  }

  /** Returns the type in lower case, without parameters. */
  private static String essence(String contentType) {
    return contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns whether all {@code charset} parameters are accepted. Unknown charsets are rejected
   * without looking them up.
   */
  private static boolean isUtf8(String contentType) {
    int start = contentType.indexOf(';');
    while (start >= 0 && start < contentType.length()) {
      int end = parameterEnd(contentType, start + 1);
      String[] parameter = contentType.substring(start + 1, end).split("=", 2);
      if (parameter[0].strip().equalsIgnoreCase("charset")
          && (parameter.length == 1 || !CHARSETS.contains(unquoted(parameter[1].strip())))) {
        return false;
      }
      start = end;
    }
    return true;
  }

  /** Returns the index of the next semicolon outside quotes, or the length of the text. */
  private static int parameterEnd(String text, int start) {
    boolean quoted = false;
    for (int i = start; i < text.length(); i++) {
      char each = text.charAt(i);
      if (each == ';' && !quoted) {
        return i;
      }
      if (each == '"') {
        quoted = !quoted;
      } else if (each == '\\' && quoted) {
        i++;
      }
    }
    return text.length();
  }

  private static String unquoted(String value) {
    boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
    return (quoted ? value.substring(1, value.length() - 1) : value).toLowerCase(Locale.ROOT);
  }
}
