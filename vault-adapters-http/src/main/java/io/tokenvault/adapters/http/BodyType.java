package io.tokenvault.adapters.http;

import java.util.Locale;

/** What a body of JSON is to call itself. One without a type is JSON. */
enum BodyType {
  /** JSON, or a format that is made of it. */
  JSON(Answer.JSON) {
    @Override
    boolean fitsEssence(String type) {
      return type.equals(Answer.JSON)
          || (type.startsWith("application/") && type.endsWith("+json"));
    }
  },

  /** A merge patch (RFC 7386), which may also be called just JSON. */
  MERGE_PATCH("application/merge-patch+json") {
    @Override
    boolean fitsEssence(String type) {
      return type.equals(Answer.JSON) || type.equals(text());
    }
  };

  private final String text;

  BodyType(String text) {
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
    return fitsEssence(essence(contentType));
  }

  abstract boolean fitsEssence(String type);

  /** Without parameters. */
  private static String essence(String contentType) {
    return contentType == null || contentType.isBlank()
        ? Answer.JSON
        : contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
  }
}
