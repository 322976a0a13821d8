package io.tokenvault.adapters.http.response;

import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.request.ExpectedVersion;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Represents versions of resources as strong entity tags (RFC 9110, sections 8.8.3 and 13.1.1):
 * version 7 is {@code "7"}.
 */
public final class EntityTags {

  public static final String IF_MATCH = "If-Match";

  private static final String SHAPE =
      "must be * or a list of entity tags in double quotes, as ETag gives them";

  /**
   * Matches an element of the list, which may be empty. Group 1 is the version of a strong tag of
   * the vault.
   */
  private static final Pattern ELEMENT =
      Pattern.compile(
          "[ \\t]*+(?:\"([1-9][0-9]{0,17})\"|(?:W/)?\"[\\x21\\x23-\\x7e\\x80-\\xff]*+\")?+[ \\t]*+(?:,|$)");

  private EntityTags() {}

  /**
   * Parses the values of {@code If-Match}. Weak tags and tags that the vault did not create match
   * no version.
   *
   * @param values all values of the header; none, or {@code *}, accept any version
   * @throws ValidationException if a value is malformed
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
    // A list without any tag is malformed, although single elements may be empty.
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
