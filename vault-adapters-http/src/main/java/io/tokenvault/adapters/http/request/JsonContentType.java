package io.tokenvault.adapters.http.request;

import io.tokenvault.adapters.http.response.ApiResponse;
import java.util.Locale;
import java.util.Set;

/** What a body of JSON is to call itself: in UTF-8 (RFC 8259). One without a type is JSON. */
enum JsonContentType {
  /** JSON, or a format that is made of it. */
  JSON(ApiResponse.JSON) {
    @Override
    boolean fitsEssence(String type) {
      return type.equals(ApiResponse.JSON)
          || (type.startsWith("application/") && type.endsWith("+json"));
    }
  },

  /** A merge patch (RFC 7386), which may also be called just JSON. */
  MERGE_PATCH("application/merge-patch+json") {
    @Override
    boolean fitsEssence(String type) {
      return type.equals(ApiResponse.JSON) || type.equals(text());
    }
  };

  /** US-ASCII is a part of UTF-8. */
  private static final Set<String> CHARSETS = Set.of("utf-8", "utf8", "us-ascii", "ascii");

  private final String text;

  JsonContentType(String text) {
    this.text = text;
  }

  /** As it should be called. */
  String text() {
    return text;
  }

  /**
   * @param contentType null if there is none
   */
  boolean fits(String contentType) {
    return contentType == null
        || contentType.isBlank()
        || (fitsEssence(essence(contentType)) && isUtf8(contentType));
  }

  abstract boolean fitsEssence(String type);

  /** Without parameters. */
  private static String essence(String contentType) {
    return contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
  }

  /** Whether each charset that it names is one of ours; names of others need not be known. */
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

  /** Where the next semicolon is that is not quoted, or the text ends. */
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
