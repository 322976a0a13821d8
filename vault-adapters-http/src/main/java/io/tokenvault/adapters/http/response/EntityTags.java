package io.tokenvault.adapters.http.response;

import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.request.ExpectedVersion;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Versions of resources as strong entity tags (RFC 9110, sections 8.8.3 and 13.1.1). */
public final class EntityTags {

  static final String ETAG = "ETag";
  public static final String IF_MATCH = "If-Match";

  private static final String SHAPE =
      "must be * or a list of entity tags in double quotes, as ETag gives them";

  /** An element of the list, which may be empty; group 1 is what a strong tag of ours holds. */
  private static final Pattern ELEMENT =
      Pattern.compile(
          "[ \\t]*+(?:\"([1-9][0-9]{0,17})\"|(?:W/)?\"[\\x21\\x23-\\x7e\\x80-\\xff]*+\")?+[ \\t]*+(?:,|$)");

  private EntityTags() {}

  static String of(long version) {
    return "\"" + version + "\"";
  }

  /**
   * Reads what was sent under {@code If-Match}. A weak tag, and one that is not of the vault, match
   * no version.
   *
   * @throws ValidationException if it is malformed
   */
  public static ExpectedVersion ifMatch(List<String> values) {
    if (values.isEmpty()) {
      return ExpectedVersion.ANY;
    }
    String all = String.join(",", values).strip();
    if (all.equals("*")) {
      return ExpectedVersion.ANY;
    }
    Set<Long> versions = new HashSet<>();
    Matcher element = ELEMENT.matcher(all);
    boolean isEmpty = true;
    int next = 0;
    while (next < all.length()) {
      if (!element.find(next) || element.start() != next) {
        throw malformed();
      }
      isEmpty &= element.group().isBlank() || element.group().strip().equals(",");
      if (element.group(1) != null) {
        versions.add(Long.valueOf(element.group(1)));
      }
      next = element.end();
    }
    if (isEmpty) {
      throw malformed();
    }
    return ExpectedVersion.oneOf(versions);
  }

  private static ValidationException malformed() {
    return ValidationException.of(IF_MATCH, SHAPE);
  }
}
