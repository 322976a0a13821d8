package io.tokenvault.engine.filter;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.engine.filter.FilterDefinition.FilterSignature;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import liqp.TemplateContext;
import liqp.TemplateParser;
import liqp.filters.Filters;
import liqp.parser.Flavor;

/**
 * The standard filters over texts. Those of the library are used if they never split a character,
 * do not depend on the server's locale, and take no quadratic time.
 */
final class TextFilters {

  /** Longest text to search for, in characters. */
  private static final int MAX_WANTED = 1000;

  /** Largest position or length for filters that cut. */
  private static final int MAX_CUT = 1 << 20;

  /** Settings of the Liquid library, independent of the server's locale and time zone. */
  private static final TemplateParser SETTINGS =
      new TemplateParser.Builder()
          .withFlavor(Flavor.LIQUID)
          .withLocale(Locale.ENGLISH)
          .withDefaultTimeZone(ZoneOffset.UTC)
          .build();

  private TextFilters() {}

  static List<FilterDefinition> all() {
    return List.of(
        liquid("append", 1),
        liquid("prepend", 1),
        replacing("replace", false, false),
        replacing("replace_first", false, true),
        replacing("remove", true, false),
        replacing("remove_first", true, true),
        liquid("escape", 0),
        liquid("escape_once", 0),
        liquid("url_encode", 0),
        FilterDefinition.of("url_decode", Filter.text(TextFilters::decodeUrl)),
        liquid("strip_newlines", 0),
        liquid("newline_to_br", 0),
        FilterDefinition.of("truncatewords", FilterSignature.of(0, 2), TextFilters::truncateWords),
        FilterDefinition.of("capitalize", Filter.text(TextFilters::capitalize)),
        FilterDefinition.of("downcase", Filter.text(CaseMapping::lower)),
        FilterDefinition.of("upcase", Filter.text(CaseMapping::upper)),
        FilterDefinition.of("strip", Filter.text(String::strip)),
        FilterDefinition.of("lstrip", Filter.text(String::stripLeading)),
        FilterDefinition.of("rstrip", Filter.text(String::stripTrailing)),
        FilterDefinition.of("slice", FilterSignature.of(1, 2), TextFilters::slice).ofAnySize(),
        FilterDefinition.of("truncate", FilterSignature.of(0, 2), TextFilters::truncate)
            .ofAnySize(),
        FilterDefinition.of("split", FilterSignature.of(1), TextFilters::split));
  }

  /** Returns a filter of the library with text arguments. */
  private static FilterDefinition liquid(String name, int count) {
    return FilterDefinition.of(
        name,
        FilterSignature.of(count),
        arguments -> {
          Object[] texts = new Object[count];
          for (int i = 0; i < count; i++) {
            texts[i] = arguments.text(i);
          }
          return Filter.text(text -> liquidText(name, text, texts));
        });
  }

  /**
   * Returns a filter that replaces or removes all occurrences of a text, or the first one only. As
   * in Liquid, a missing replacement is empty.
   */
  private static FilterDefinition replacing(String name, boolean removes, boolean onlyFirst) {
    return FilterDefinition.of(
        name,
        FilterSignature.of(1, removes ? 1 : 2),
        arguments -> {
          String wanted = arguments.text(0);
          if (wanted.isEmpty() || wanted.length() > MAX_WANTED) {
            throw new ExpressionException(
                "requires a string of 1 to " + MAX_WANTED + " characters as argument 1");
          }
          Needle needle = new Needle(wanted);
          String replacement = removes ? "" : arguments.text(1, "");
          return Filter.text(text -> replaced(text, needle, replacement, onlyFirst));
        });
  }

  private static String replaced(
      String text, Needle wanted, String replacement, boolean onlyFirst) {
    StringBuilder replaced = new StringBuilder();
    int done = 0;
    int found = wanted.find(text, 0);
    while (found >= 0) {
      replaced.append(text, done, found).append(replacement);
      // Checked at each occurrence, before a small template creates a huge text.
      requireWithinLimit(replaced.length());
      done = found + wanted.length();
      found = onlyFirst ? -1 : wanted.find(text, done);
    }
    return replaced.append(text, done, text.length()).toString();
  }

  /** Requires that a result is within the limit of 1 MiB. */
  static void requireWithinLimit(long length) {
    if (length > EvaluationLimits.MAX_BYTES) {
      throw new ExpressionException("results in more than 1 MiB");
    }
  }

  /** Decodes percent-encoded text. */
  private static String decodeUrl(String text) {
    String decoded = liquidText("url_decode", text);
    // The library returns text that it cannot decode unchanged.
    if (decoded.equals(text) && text.indexOf('%') >= 0) {
      throw new ExpressionException("requires a percent-encoded string");
    }
    return decoded;
  }

  /** Converts the first character to upper case and all others to lower case. */
  private static String capitalize(String text) {
    if (text.isEmpty()) {
      return text;
    }
    int rest = text.offsetByCodePoints(0, 1);
    return CaseMapping.upper(text.substring(0, rest)) + CaseMapping.lower(text.substring(rest));
  }

  private static Filter.Step truncateWords(FilterArguments arguments) {
    int words = arguments.integer(0, 1, MAX_CUT, 15);
    String ending = arguments.text(1, "...");
    return Filter.text(text -> liquidText("truncatewords", text, words, ending));
  }

  /** Returns a step that shortens a text to a number of characters, including the ending. */
  private static Filter.Step truncate(FilterArguments arguments) {
    int most = arguments.integer(0, 0, MAX_CUT, 50);
    String ending = arguments.text(1, "...");
    return Filter.text(
        text ->
            TextValues.length(text) <= most
                ? text
                : TextValues.cut(text, 0, Math.max(0, most - TextValues.length(ending))) + ending);
  }

  /** Returns a step that cuts out characters of a text or items of a list. */
  private static Filter.Step slice(FilterArguments arguments) {
    int start = arguments.integer(0, -MAX_CUT, MAX_CUT);
    int count = arguments.integer(1, 0, MAX_CUT, 1);
    return input -> {
      if (input.value() instanceof JsonArray array) {
        List<JsonValue> items = array.items();
        return FilterValue.of(
            new JsonArray(
                items.subList(from(start, items.size()), to(start, count, items.size()))));
      }
      String text = input.text();
      int length = TextValues.length(text);
      return FilterValue.of(
          JsonValue.of(TextValues.cut(text, from(start, length), to(start, count, length))));
    };
  }

  /** Returns the index at which a slice starts, or the length if it would start outside. */
  private static int from(int start, int length) {
    int place = start < 0 ? length + start : start;
    return place < 0 || place > length ? length : place;
  }

  /** Returns the index at which a slice ends. */
  private static int to(int start, int count, int length) {
    return Math.min(length, from(start, length) + count);
  }

  /** Returns a step that splits a text; an empty separator splits it into characters. */
  private static Filter.Step split(FilterArguments arguments) {
    String separator = arguments.text(0);
    if (separator.length() > MAX_WANTED) {
      throw new ExpressionException(
          "requires a string of at most " + MAX_WANTED + " characters as argument 1");
    }
    Needle needle = new Needle(separator.isEmpty() ? " " : separator);
    return input -> {
      List<JsonValue> parts = new ArrayList<>();
      String text = input.text();
      for (int start = 0; start < text.length(); ) {
        int end =
            separator.isEmpty() ? text.offsetByCodePoints(start, 1) : end(text, needle, start);
        parts.add(JsonValue.of(text.substring(start, end)));
        start = end + separator.length();
      }
      return FilterValue.of(new JsonArray(parts));
    };
  }

  /** Returns the index of the next separator, or the length of the text. */
  private static int end(String text, Needle separator, int start) {
    int found = separator.find(text, start);
    return found < 0 ? text.length() : found;
  }

  /**
   * Applies a filter of the Liquid library, which never parses an expression.
   *
   * @param value in the library's representation, like the arguments
   * @throws ExpressionException if the filter fails
   */
  static Object applyLiquid(String name, Object value, Object... arguments) {
    try {
      return Filters.DEFAULT_FILTERS
          .get(name)
          .apply(value, new TemplateContext(SETTINGS, Map.of()), arguments);
    } catch (RuntimeException failed) {
      // The cause is omitted because it quotes the value.
      throw new ExpressionException("cannot be applied to this value with these arguments");
    }
  }

  /** Applies a filter from text to text. */
  private static String liquidText(String name, String value, Object... arguments) {
    return (String) applyLiquid(name, value, arguments);
  }

  /**
   * A text to search for. The search takes time proportional to the sum of both lengths, not to
   * their product, whatever the texts are (Knuth, Morris and Pratt). Immutable.
   */
  private static final class Needle {

    private final String text;

    /**
     * For each prefix, by its length: the length of its longest proper suffix that is a prefix,
     * too.
     */
    private final int[] borders;

    /**
     * Prepares a search.
     *
     * @param text not empty
     */
    Needle(String text) {
      this.text = text;
      this.borders = new int[text.length() + 1];
      int border = 0;
      for (int i = 1; i < text.length(); i++) {
        border = longer(border, text.charAt(i));
        borders[i + 1] = border;
      }
    }

    /** Returns the length of the prefix found after one more character. */
    private int longer(int found, char next) {
      int rest = found;
      while (rest > 0 && text.charAt(rest) != next) {
        rest = borders[rest];
      }
      return text.charAt(rest) == next ? rest + 1 : rest;
    }

    int length() {
      return text.length();
    }

    /** Returns the index of the text at or after an index; negative if it does not occur. */
    int find(String searched, int from) {
      int found = 0;
      for (int i = from; i < searched.length(); i++) {
        found = longer(found, searched.charAt(i));
        if (found == text.length()) {
          return i + 1 - found;
        }
      }
      return -1;
    }
  }
}
