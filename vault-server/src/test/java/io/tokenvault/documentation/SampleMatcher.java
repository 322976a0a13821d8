package io.tokenvault.documentation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Compares samples of a page with real output. Placeholders on the page represent values that vary:
 * the first match binds a placeholder to a value, which all later samples must repeat.
 */
public final class SampleMatcher {

  private static final String NAME = "<[a-z_]+>";
  private static final String ID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
  private static final String KEY = "key_\\w+";
  private static final String TIME =
      "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d[0-9.]*(?:Z|\\+00:00)";
  private static final String DURATION =
      "(?<=(?:_ms|seconds|_per_second)\"\\s?:\\s?)\\d+(?:\\.\\d+)?";
  private static final String JSON_NUMBER = "(?<=[:\\[,])\\d+";

  /** Placeholders whose value may differ each time. */
  private static final List<String> UNBOUND = List.of("<time>", "<trace_urn>", "<text>");

  private final Map<String, String> values = new HashMap<>();
  private final Pattern placeholders;

  private SampleMatcher(String... placeholders) {
    this.placeholders = Pattern.compile(String.join("|", placeholders));
  }

  /** Compares pages whose placeholders are names, such as {@code <token_id>}. */
  public static SampleMatcher ofNames() {
    return new SampleMatcher(NAME);
  }

  /** Compares pages that show sample ids, API keys, times, and durations, besides names. */
  public static SampleMatcher ofSampleValues() {
    return new SampleMatcher(NAME, ID, KEY, TIME, DURATION);
  }

  /** Compares pages that show sample ids, API keys, times, and numbers. */
  public static SampleMatcher ofSampleNumbers() {
    return new SampleMatcher(NAME, ID, KEY, TIME, JSON_NUMBER);
  }

  /** Binds a placeholder without its brackets. */
  public void bind(String name, String value) {
    values.put("<" + name + ">", value);
  }

  /** Binds all sample ids in a text to themselves. */
  public void bindIdsOf(String text) {
    Pattern.compile(ID)
        .matcher(text)
        .results()
        .forEach(id -> values.putIfAbsent(id.group(), id.group()));
  }

  /** Replaces bound placeholders by their values. */
  public String fill(String text) {
    return placeholders
        .matcher(text)
        .replaceAll(
            found -> Matcher.quoteReplacement(values.getOrDefault(found.group(), found.group())));
  }

  /** Asserts that output matches a sample, and binds its new placeholders. */
  public void expect(String description, String expected, String actual) {
    Map<String, Integer> groups = new HashMap<>();
    Matcher output = Pattern.compile(pattern(expected, groups), Pattern.DOTALL).matcher(actual);
    if (!output.matches()) {
      throw new AssertionError(
          "%s\n--- on the page:\n%s\n--- actual output:\n%s"
              .formatted(description, fill(expected), actual));
    }
    groups.forEach((placeholder, group) -> values.put(placeholder, output.group(group)));
  }

  private String pattern(String expected, Map<String, Integer> groups) {
    StringBuilder pattern = new StringBuilder();
    int end = 0;
    for (MatchResult found : placeholders.matcher(expected).results().toList()) {
      pattern.append(Pattern.quote(expected.substring(end, found.start())));
      pattern.append(placeholderPattern(found.group(), groups));
      end = found.end();
    }
    return pattern.append(Pattern.quote(expected.substring(end))).toString();
  }

  private String placeholderPattern(String placeholder, Map<String, Integer> groups) {
    if (values.containsKey(placeholder)) {
      return Pattern.quote(values.get(placeholder));
    }
    if (groups.containsKey(placeholder)) {
      return "\\" + groups.get(placeholder) + "(?:)";
    }
    if (UNBOUND.contains(placeholder)) {
      return ".*?";
    }
    for (String varying : List.of(TIME, "\\d+(?:\\.\\d+)?")) {
      if (placeholder.matches(varying)) {
        return varying;
      }
    }
    groups.put(placeholder, groups.size() + 1);
    for (String bound : List.of(ID, KEY)) {
      if (placeholder.matches(bound)) {
        return "(" + bound + ")";
      }
    }
    return "([^\n]+)";
  }
}
