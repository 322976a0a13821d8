package io.tokenvault.ports.memory;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonNull;
import io.tokenvault.domain.json.JsonValue.JsonString;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A parsed expression.
 *
 * @param head the part before the first filter
 */
record SmallExpression(String head, List<Filter> filters) {

  /** Matches a non-empty expression in a string. */
  static final Pattern IN_TEXT =
      Pattern.compile("\\{\\{(?!\\s*\\}\\})((?:(?!\\}\\}).)++)\\}\\}", Pattern.DOTALL);

  private static final Set<String> KNOWN = Set.of("stringify", "remove", "reveal_last");
  private static final String STRING = "'[^']*'";
  private static final Pattern FILTER =
      Pattern.compile(
          "\\|\\s*(\\w+)(?:\\s*:\\s*((?:\\d+|%1$s)(?:\\s*,\\s*(?:\\d+|%1$s))*))?\\s*"
              .formatted(STRING));
  private static final Pattern ARGUMENT = Pattern.compile("\\d+|" + STRING);

  SmallExpression {
    filters = List.copyOf(filters);
  }

  /** A filter and its arguments, strings without their quotes. */
  record Filter(String name, List<String> arguments) {
    Filter {
      arguments = List.copyOf(arguments);
    }

    boolean makesAlias() {
      return name.equals("alias_preserve_length");
    }

    boolean isKnown() {
      return KNOWN.contains(name);
    }

    int number(int i) {
      return Integer.parseInt(arguments.get(i));
    }
  }

  /** Parses the text between the braces; returns empty if it is invalid. */
  static Optional<SmallExpression> parse(String inner) {
    int end = inner.indexOf('|') < 0 ? inner.length() : inner.indexOf('|');
    List<Filter> filters = new ArrayList<>();
    Matcher matcher = FILTER.matcher(inner);
    int position = end;
    while (position < inner.length()) {
      if (!matcher.region(position, inner.length()).lookingAt()) {
        return Optional.empty();
      }
      filters.add(new Filter(matcher.group(1), arguments(matcher.group(2))));
      position = matcher.end();
    }
    return Optional.of(new SmallExpression(inner.substring(0, end).strip(), filters));
  }

  private static List<String> arguments(String text) {
    return text == null
        ? List.of()
        : ARGUMENT.matcher(text).results().map(found -> found.group().replace("'", "")).toList();
  }

  /** Applies all filters; returns empty if one is unknown or has wrong arguments. */
  Optional<JsonValue> apply(JsonValue value) {
    Optional<JsonValue> result = Optional.of(value);
    for (Filter filter : filters) {
      result = result.flatMap(each -> apply(filter, each));
    }
    return result;
  }

  private static Optional<JsonValue> apply(Filter filter, JsonValue value) {
    boolean hasOneArgument = filter.arguments().size() == 1;
    if (filter.name().equals("stringify") && filter.arguments().isEmpty()) {
      return Optional.of(JsonValue.of(json(value)));
    }
    if (filter.name().equals("remove") && hasOneArgument) {
      return Optional.of(JsonValue.of(text(value).replace(filter.arguments().get(0), "")));
    }
    if (filter.name().equals("reveal_last") && hasOneArgument) {
      return Optional.of(JsonValue.of(revealLast(text(value), filter.number(0))));
    }
    return Optional.empty();
  }

  private static String revealLast(String text, int visible) {
    int hidden = visible < text.length() ? text.length() - visible : text.length();
    return text.substring(0, hidden).replaceAll("[^-]", "X") + text.substring(hidden);
  }

  /** Returns the form of a value inside a string. */
  static String text(JsonValue value) {
    if (value == JsonNull.NULL) {
      return "";
    }
    return value instanceof JsonString string ? string.value() : json(value);
  }

  private static String json(JsonValue value) {
    return new String(new SmallJsonCodec().write(value), StandardCharsets.UTF_8);
  }
}
