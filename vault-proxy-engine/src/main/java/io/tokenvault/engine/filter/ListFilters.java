package io.tokenvault.engine.filter;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonBoolean;
import io.tokenvault.domain.json.JsonValue.JsonNull;
import io.tokenvault.domain.json.JsonValue.JsonNumber;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.JsonValue.JsonString;
import io.tokenvault.engine.filter.FilterDefinition.FilterSignature;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The standard filters over lists. Those of the library are not used: they look up values by hash
 * codes, for which a caller can construct collisions, and convert each value on the way.
 */
final class ListFilters {

  /** Longest number that can be sorted, in characters. */
  private static final int MAX_NUMBER_LENGTH = 1000;

  /** Largest number of items for filters that compare the items of a list with each other. */
  private static final int MAX_COMPARED = 20_000;

  private ListFilters() {}

  static List<FilterDefinition> all() {
    return List.of(
        simple("first", list -> end(list.items(), 0)).ofAnySize(),
        simple("last", list -> end(list.items(), list.items().size() - 1)).ofAnySize(),
        simple("reverse", ListFilters::reversed),
        simple("uniq", ListFilters::distinct).ofItems(MAX_COMPARED),
        simple("compact", list -> matching(list, item -> item != JsonNull.NULL)),
        FilterDefinition.of("map", FilterSignature.of(1), ListFilters::map),
        FilterDefinition.of("where", FilterSignature.of(1, 2), ListFilters::where),
        FilterDefinition.of("concat", FilterSignature.of(1), ListFilters::concat),
        FilterDefinition.of("join", FilterSignature.of(0, 1), ListFilters::join),
        FilterDefinition.of("sort", FilterSignature.of(0, 1), ListFilters::sort)
            .ofItems(MAX_COMPARED),
        simple("sort_natural", list -> sorted(list, item -> CaseMapping.folded(text(item))))
            .ofItems(MAX_COMPARED),
        FilterDefinition.of("size", Filter.value(value -> JsonValue.of((long) size(value))))
            .ofAnySize(),
        FilterDefinition.of("default", FilterSignature.of(1), ListFilters::fallback).ofAnySize());
  }

  /** Returns a filter over lists without arguments. */
  private static FilterDefinition simple(String name, Function<JsonArray, JsonValue> change) {
    return FilterDefinition.of(name, list(change));
  }

  private static Filter.Step list(Function<JsonArray, JsonValue> change) {
    return Filter.value(value -> change.apply(array(value)));
  }

  private static JsonArray array(JsonValue value) {
    if (value instanceof JsonArray array) {
      return array;
    }
    throw new ExpressionException("requires a list");
  }

  /** Returns the item at an index, or null if the list is empty. */
  private static JsonValue end(List<JsonValue> items, int index) {
    return items.isEmpty() ? JsonNull.NULL : items.get(index);
  }

  private static JsonArray reversed(JsonArray list) {
    List<JsonValue> items = new ArrayList<>(list.items());
    Collections.reverse(items);
    return new JsonArray(items);
  }

  /**
   * Removes repeated items. They are recognized by keys in a sorted set, which is independent of
   * hash codes.
   */
  private static JsonArray distinct(JsonArray list) {
    Set<String> seen = new TreeSet<>();
    return matching(list, item -> seen.add(TextValues.sortedJson(item)));
  }

  private static JsonArray matching(JsonArray list, Predicate<JsonValue> wanted) {
    return new JsonArray(list.items().stream().filter(wanted).toList());
  }

  /** Requires an object and returns its properties. */
  private static Map<String, JsonValue> properties(JsonValue item) {
    if (item instanceof JsonObject object) {
      return object.properties();
    }
    throw new ExpressionException("requires a list of objects");
  }

  /** Returns a step that collects the values of a property, leaving out null. */
  private static Filter.Step map(FilterArguments arguments) {
    String name = arguments.text(0);
    return list(
        list ->
            new JsonArray(
                list.items().stream()
                    .map(item -> properties(item).getOrDefault(name, JsonNull.NULL))
                    .filter(property -> property != JsonNull.NULL)
                    .toList()));
  }

  /**
   * Returns a step that keeps the objects whose property has a value or, without a second argument,
   * is neither null nor false.
   */
  private static Filter.Step where(FilterArguments arguments) {
    String name = arguments.text(0);
    Predicate<JsonValue> wanted =
        arguments.has(1) ? arguments.value(1)::equals : ListFilters::isTrue;
    return list(
        list ->
            matching(
                list,
                item -> {
                  JsonValue property = properties(item).get(name);
                  return property != null && wanted.test(property);
                }));
  }

  /** Returns whether a value is neither null nor false, as Liquid defines truth. */
  private static boolean isTrue(JsonValue value) {
    return value != JsonNull.NULL && !(value instanceof JsonBoolean bool && !bool.value());
  }

  /** Returns a step that appends another list. */
  private static Filter.Step concat(FilterArguments arguments) {
    JsonArray other = array(arguments.value(0));
    return list(
        list -> {
          TextFilters.requireWithinLimit(TextValues.extent(list) + TextValues.extent(other));
          List<JsonValue> items = new ArrayList<>(list.items());
          items.addAll(other.items());
          return new JsonArray(items);
        });
  }

  /** Returns a step that joins scalars to a text; the separator defaults to a space. */
  private static Filter.Step join(FilterArguments arguments) {
    String glue = arguments.text(0, " ");
    return list(
        list -> {
          List<String> texts = list.items().stream().map(TextValues::scalar).toList();
          long length = (long) glue.length() * texts.size();
          TextFilters.requireWithinLimit(length + texts.stream().mapToLong(String::length).sum());
          return JsonValue.of(String.join(glue, texts));
        });
  }

  /** Returns the number of items, properties or characters. */
  private static int size(JsonValue value) {
    if (value instanceof JsonArray array) {
      return array.items().size();
    }
    if (value instanceof JsonObject object) {
      return object.properties().size();
    }
    if (value instanceof JsonString string) {
      return TextValues.length(string.value());
    }
    throw new ExpressionException("requires a string, a list or an object");
  }

  /** Returns a step that replaces null, false and empty values. */
  private static Filter.Step fallback(FilterArguments arguments) {
    JsonValue other = arguments.value(0);
    return Filter.value(value -> isTrue(value) && !isEmpty(value) ? value : other);
  }

  private static boolean isEmpty(JsonValue value) {
    return (value instanceof JsonString text && text.value().isEmpty())
        || (value instanceof JsonArray list && list.items().isEmpty())
        || (value instanceof JsonObject object && object.properties().isEmpty());
  }

  /** Returns a step that sorts numbers or texts, optionally by a property of each item. */
  private static Filter.Step sort(FilterArguments arguments) {
    Function<JsonValue, JsonValue> key =
        arguments.has(0) ? property(arguments.text(0)) : Function.identity();
    return list(
        list ->
            list.items().stream().map(key).allMatch(JsonNumber.class::isInstance)
                ? sorted(list, item -> number(key.apply(item)))
                : sorted(list, item -> text(key.apply(item))));
  }

  /** Sorts a list, computing each key only once. */
  private static <K extends Comparable<K>> JsonArray sorted(
      JsonArray list, Function<JsonValue, K> key) {
    return new JsonArray(
        list.items().stream()
            .map(item -> Map.entry(key.apply(item), item))
            .sorted(Map.Entry.comparingByKey())
            .map(Map.Entry::getValue)
            .toList());
  }

  /** Returns access to a property that every item must have. */
  private static Function<JsonValue, JsonValue> property(String name) {
    return item -> {
      if (item instanceof JsonObject object && object.properties().containsKey(name)) {
        return object.properties().get(name);
      }
      throw new ExpressionException("requires a property of that name in every item");
    };
  }

  private static BigDecimal number(JsonValue value) {
    String literal = ((JsonNumber) value).literal();
    if (literal.length() <= MAX_NUMBER_LENGTH) {
      try {
        return new BigDecimal(literal);
      } catch (NumberFormatException exponentOutOfRange) {
        // Reported below, together with numbers that are too long.
      }
    }
    throw new ExpressionException("cannot sort numbers of that size");
  }

  private static String text(JsonValue value) {
    if (value instanceof JsonString string) {
      return string.value();
    }
    throw new ExpressionException("sorts either strings or numbers");
  }
}
