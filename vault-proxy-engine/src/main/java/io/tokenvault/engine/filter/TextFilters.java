package io.tokenvault.engine.filter;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.engine.filter.value.CaseMapping;
import io.tokenvault.engine.filter.value.EvaluationLimits;
import io.tokenvault.engine.filter.value.ExpressionException;
import io.tokenvault.engine.filter.value.FilterValue;
import io.tokenvault.engine.filter.value.TextValues;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The standard filters over texts. The library's are used where they keep what is asked of them
 * here: no character cut in half, no dependence on the server's locale, no quadratic matching.
 */
final class TextFilters {

  private static final int MAX_WANTED = 1000;

  private static final int MAX_CUT = 1 << 20;

  private TextFilters() {}

  static List<FilterDefinition> all() {
    return List.of(
        liquid("append", 1, 1),
        liquid("prepend", 1, 1),
        replacing("replace", false, false),
        replacing("replace_first", false, true),
        replacing("remove", true, false),
        replacing("remove_first", true, true),
        liquid("escape", 0, 0),
        liquid("escape_once", 0, 0),
        liquid("url_encode", 0, 0),
        own("url_decode", TextFilters::decodeUrl),
        liquid("strip_newlines", 0, 0),
        liquid("newline_to_br", 0, 0),
        FilterDefinition.of("truncatewords", FilterSignature.of(0, 2), TextFilters::truncateWords),
        own("capitalize", TextFilters::capitalize),
        own("downcase", CaseMapping::lower),
        own("upcase", CaseMapping::upper),
        own("strip", String::strip),
        own("lstrip", String::stripLeading),
        own("rstrip", String::stripTrailing),
        FilterDefinition.of("slice", FilterSignature.of(1, 2), TextFilters::slice).ofAnySize(),
        FilterDefinition.of("truncate", FilterSignature.of(0, 2), TextFilters::truncate)
            .ofAnySize(),
        FilterDefinition.of("split", FilterSignature.of(1), TextFilters::split));
  }

  private static FilterDefinition own(String name, UnaryOperator<String> change) {
    return FilterDefinition.of(
        name, FilterSignature.of(0), arguments -> Filter.text(change::apply));
  }

  private static FilterDefinition liquid(String name, int required, int most) {
    return FilterDefinition.of(
        name,
        FilterSignature.of(required, most),
        arguments -> {
          Object[] texts = new Object[most];
          for (int i = 0; i < most; i++) {
            texts[i] = arguments.text(i);
          }
          return Filter.text(text -> LiquidLibrary.text(name, text, texts));
        });
  }

  private static FilterDefinition replacing(String name, boolean removes, boolean onlyFirst) {
    return FilterDefinition.of(
        name,
        FilterSignature.of(removes ? 1 : 2),
        arguments -> {
          String wanted = arguments.text(0);
          if (wanted.isEmpty() || wanted.length() > MAX_WANTED) {
            throw new ExpressionException(
                "takes a text of 1 to " + MAX_WANTED + " characters as argument 1");
          }
          Needle needle = new Needle(wanted);
          String replacement = removes ? "" : arguments.text(1);
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
      // Before a small template makes a huge text.
      requireRoom(replaced.length());
      done = found + wanted.length();
      found = onlyFirst ? -1 : wanted.find(text, done);
    }
    return replaced.append(text, done, text.length()).toString();
  }

  static void requireRoom(long length) {
    if (length > EvaluationLimits.MAX_BYTES) {
      throw new ExpressionException("makes more than 1 MiB");
    }
  }

  private static String decodeUrl(String text) {
    String decoded = LiquidLibrary.text("url_decode", text);
    // The library gives back what it cannot decode.
    if (decoded.equals(text) && text.indexOf('%') >= 0) {
      throw new ExpressionException("needs a percent-encoded text");
    }
    return decoded;
  }

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
    return Filter.text(text -> LiquidLibrary.text("truncatewords", text, words, ending));
  }

  private static Filter.Step truncate(FilterArguments arguments) {
    int most = arguments.integer(0, 0, MAX_CUT, 50);
    String ending = arguments.text(1, "...");
    return Filter.text(
        text ->
            TextValues.length(text) <= most
                ? text
                : TextValues.cut(text, 0, Math.max(0, most - TextValues.length(ending))) + ending);
  }

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

  /** Where a slice begins; the end for one that begins outside. */
  private static int from(int start, int length) {
    int place = start < 0 ? length + start : start;
    return place < 0 || place > length ? length : place;
  }

  private static int to(int start, int count, int length) {
    return Math.min(length, from(start, length) + count);
  }

  private static Filter.Step split(FilterArguments arguments) {
    String separator = arguments.text(0);
    if (separator.length() > MAX_WANTED) {
      throw new ExpressionException(
          "takes a text of at most " + MAX_WANTED + " characters as argument 1");
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

  private static int end(String text, Needle separator, int start) {
    int found = separator.find(text, start);
    return found < 0 ? text.length() : found;
  }

  /**
   * A text to look for. Looking takes time by the sum of both lengths and not by their product,
   * whatever the texts are (Knuth, Morris and Pratt). Immutable.
   */
  private static final class Needle {

    private final String text;

    /** How much of the text ends each beginning of it and is shorter, by the beginning's length. */
    private final int[] borders;

    /**
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

    /** How much of the text is found with one more character, where so much of it was found. */
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

    /** Where the text begins at or after a place; negative if it does not. */
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
