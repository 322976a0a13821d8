package io.tokenvault.engine.expression;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** What the headers of a part say about its content; of repeated ones, the first counts. */
final class PartHeaders {

  private static final Pattern FOLD = Pattern.compile("\r\n[ \t]+");
  private static final String TEXT = "text/plain";
  private static final Set<String> AS_IT_IS = Set.of("7bit", "8bit", "binary", "identity", "");

  /** Neither a textual type nor a known encoding. */
  private static final String AMBIGUOUS = "ambiguous";

  private final Map<String, String> values;

  private PartHeaders(Map<String, String> values) {
    this.values = values;
  }

  /**
   * @param lines with CR LF at the end of each
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

  /** Of two that differ, the destination might take the other one. */
  private static String ifTheSame(String value, String again) {
    return value.equals(again) ? value : AMBIGUOUS;
  }

  /**
   * Empty if the content cannot hold expressions: it is not textual, or encoded.
   *
   * @param depth how many multipart bodies the part is inside
   */
  Optional<TextualBody> kind(int depth) {
    return isAsItIs("content-transfer-encoding") && isAsItIs("content-encoding")
        ? TextualBody.of(values.getOrDefault("content-type", TEXT), depth)
        : Optional.empty();
  }

  private boolean isAsItIs(String header) {
    return AS_IT_IS.contains(values.getOrDefault(header, "").toLowerCase(Locale.ROOT));
  }
}
