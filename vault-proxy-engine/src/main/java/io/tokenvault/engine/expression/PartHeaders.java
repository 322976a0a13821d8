package io.tokenvault.engine.expression;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The headers of a part that describe its content. A header that occurs with different values makes
 * the part's type or encoding ambiguous, so that the part is not searched.
 */
final class PartHeaders {

  private static final Pattern FOLD = Pattern.compile("\r\n[ \t]+");
  private static final String TEXT = "text/plain";
  private static final Set<String> AS_IT_IS = Set.of("7bit", "8bit", "binary", "identity", "");

  /** Value of a contradictory header; neither a textual type nor a known encoding. */
  private static final String AMBIGUOUS = "ambiguous";

  private final Map<String, String> values;

  private PartHeaders(Map<String, String> values) {
    this.values = values;
  }

  /**
   * Parses header lines, unfolding continued ones.
   *
   * @param lines each ending with CR LF
   */
  static PartHeaders parse(String lines) {
    Map<String, String> values = new HashMap<>();
    for (String line : FOLD.matcher(lines).replaceAll(" ").split("\r\n")) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        String name = line.substring(0, colon).strip().toLowerCase(Locale.ROOT);
        values.merge(name, line.substring(colon + 1).strip(), PartHeaders::ifTheSame);
      }
    }
    return new PartHeaders(values);
  }

  /**
   * Returns a repeated value only if both are identical, because the destination might use either.
   */
  private static String ifTheSame(String value, String again) {
    return value.equals(again) ? value : AMBIGUOUS;
  }

  /**
   * Returns how the content is searched for expressions; empty if it is not textual or is encoded.
   *
   * @param depth number of multipart bodies around the part
   */
  Optional<TextualBody> kind(int depth) {
    return isAsItIs("content-transfer-encoding") && isAsItIs("content-encoding")
        ? TextualBody.of(values.getOrDefault("content-type", TEXT), depth)
        : Optional.empty();
  }

  /**
   * Returns whether an encoding header is missing or names an encoding that leaves the content
   * unchanged.
   */
  private boolean isAsItIs(String header) {
    return AS_IT_IS.contains(values.getOrDefault(header, "").toLowerCase(Locale.ROOT));
  }
}
