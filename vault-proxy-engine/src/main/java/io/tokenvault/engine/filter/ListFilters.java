package io.tokenvault.engine.filter;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonNumber;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.JsonValue.JsonString;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/** The standard filters over lists. */
final class ListFilters {

  private static final int MAX_NUMBER_LENGTH = 1000;

  private ListFilters() {}

  static List<FilterDefinition> all() {
    return List.of(
        liquid("first", 0, 0),
        liquid("last", 0, 0),
        liquid("reverse", 0, 0),
        liquid("uniq", 0, 0),
        liquid("compact", 0, 0),
        liquid("map", 1, 1),
        liquid("where", 1, 2),
        FilterDefinition.of("concat", Signature.of(1), ListFilters::concat),
        FilterDefinition.of("join", Signature.of(0, 1), ListFilters::join),
        FilterDefinition.of("sort", Signature.of(0, 1), ListFilters::sort),
        FilterDefinition.of("sort_natural", Signature.of(0), ListFilters::sortNatural),
        FilterDefinition.of(
            "size",
            Signature.of(0),
            arguments -> Filter.value(value -> JsonValue.of((long) size(value)))),
        FilterDefinition.of("default", Signature.of(1), ListFilters::fallback));
  }

  private static FilterDefinition liquid(String name, int required, int most) {
    return FilterDefinition.of(
        name,
        Signature.of(required, most),
        arguments -> {
          List<Object> given = new ArrayList<>();
          for (int i = 0; i < most && arguments.has(i); i++) {
            given.add(i == 0 ? arguments.text(i) : JavaValues.of(arguments.value(i)));
          }
          return list(
              array ->
                  JavaValues.toJson(Liquid.apply(name, JavaValues.list(array), given.toArray())));
        });
  }

  private static Filter.Step list(Function<JsonArray, JsonValue> change) {
    return Filter.value(value -> change.apply(array(value)));
  }

  private static JsonArray array(JsonValue value) {
    if (value instanceof JsonArray array) {
      return array;
    }
    throw new ExpressionException("works on lists only");
  }

  private static Filter.Step concat(Arguments arguments) {
    JsonArray other = array(arguments.value(0));
    return list(
        array ->
            JavaValues.toJson(
                Liquid.apply("concat", JavaValues.list(array), JavaValues.list(other))));
  }

  private static Filter.Step join(Arguments arguments) {
    String glue = arguments.text(0, " ");
    return list(
        array -> {
          List<String> texts = array.items().stream().map(Texts::scalar).toList();
          long length = (long) glue.length() * texts.size();
          TextFilters.requireRoom(length + texts.stream().mapToLong(String::length).sum());
          return JsonValue.of(String.valueOf(Liquid.apply("join", texts, glue)));
        });
  }

  private static int size(JsonValue value) {
    if (value instanceof JsonArray array) {
      return array.items().size();
    }
    if (value instanceof JsonObject object) {
      return object.members().size();
    }
    if (value instanceof JsonString string) {
      return Texts.length(string.value());
    }
    throw new ExpressionException("works on texts, lists and objects only");
  }

  private static Filter.Step fallback(Arguments arguments) {
    Object other = JavaValues.of(arguments.value(0));
    return Filter.value(
        value -> {
          Object given = JavaValues.of(value);
          return Liquid.apply("default", given, other) == given ? value : arguments.value(0);
        });
  }

  private static Filter.Step sort(Arguments arguments) {
    Function<JsonValue, JsonValue> key =
        arguments.has(0) ? member(arguments.text(0)) : Function.identity();
    return list(
        array -> {
          boolean numbers = array.items().stream().map(key).allMatch(JsonNumber.class::isInstance);
          Comparator<JsonValue> order =
              numbers
                  ? Comparator.comparing(item -> number(key.apply(item)))
                  : Comparator.comparing(item -> text(key.apply(item)));
          return new JsonArray(array.items().stream().sorted(order).toList());
        });
  }

  private static Function<JsonValue, JsonValue> member(String name) {
    return item -> {
      if (item instanceof JsonObject object && object.members().containsKey(name)) {
        return object.members().get(name);
      }
      throw new ExpressionException("needs a member of that name in every item");
    };
  }

  private static BigDecimal number(JsonValue value) {
    String literal = ((JsonNumber) value).literal();
    if (literal.length() <= MAX_NUMBER_LENGTH) {
      try {
        return new BigDecimal(literal);
      } catch (NumberFormatException exponentOutOfRange) {
        // Told below.
      }
    }
    throw new ExpressionException("cannot sort numbers of that size");
  }

  private static String text(JsonValue value) {
    if (value instanceof JsonString string) {
      return string.value();
    }
    throw new ExpressionException("sorts either texts or numbers");
  }

  private static Filter.Step sortNatural(Arguments arguments) {
    return list(
        array -> {
          array.items().forEach(ListFilters::text);
          return JavaValues.toJson(Liquid.apply("sort_natural", JavaValues.list(array)));
        });
  }
}
