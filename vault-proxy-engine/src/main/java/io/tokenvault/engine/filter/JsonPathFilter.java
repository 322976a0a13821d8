package io.tokenvault.engine.filter;

import com.jayway.jsonpath.Configuration;
import com.jayway.jsonpath.EvaluationListener;
import com.jayway.jsonpath.EvaluationListener.EvaluationContinuation;
import com.jayway.jsonpath.JsonPath;
import com.jayway.jsonpath.JsonPathException;
import com.jayway.jsonpath.Option;
import com.jayway.jsonpath.PathNotFoundException;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonNull;
import io.tokenvault.domain.json.JsonValue.JsonNumber;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.JsonValue.JsonString;
import io.tokenvault.engine.filter.FilterDefinition.FilterSignature;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The filter {@code json}, which selects one value by JSONPath. Null is returned for null and if
 * nothing is found; several results are an error.
 */
final class JsonPathFilter {

  /** Largest length of a path, in characters. */
  private static final int MAX_PATH = 500;

  /**
   * Syntax that can take more than one pass over the value: functions, regular expressions, further
   * references to the root, several names at once, several scans or conditions, and operators on
   * lists.
   */
  private static final Pattern COSTLY =
      Pattern.compile(
          "\\w\\s*+\\(|=~|,|.\\$|\\.\\..*\\.\\.|\\?.*\\?"
              + "|\\?.*\\s(?i:in|nin|all|anyof|noneof|subsetof|contains|size|empty|type)\\s",
          Pattern.DOTALL);

  /** Ends the search at the second result, which is an error already. */
  private static final EvaluationListener UNTIL_THE_SECOND =
      found -> found.index() == 0 ? EvaluationContinuation.CONTINUE : EvaluationContinuation.ABORT;

  private static final Configuration SETTINGS =
      Configuration.builder()
          .options(Option.ALWAYS_RETURN_LIST)
          .evaluationListener(UNTIL_THE_SECOND)
          .build();

  private JsonPathFilter() {}

  static FilterDefinition definition() {
    return FilterDefinition.of("json", FilterSignature.of(1), JsonPathFilter::bind).ofAnySize();
  }

  private static Filter.Step bind(FilterArguments arguments) {
    String text = arguments.text(0);
    int mark = text.indexOf('?');
    return new PathStep(compile(text), mark < 0 ? 0 : text.length() - mark);
  }

  /**
   * Selects a value by a compiled path.
   *
   * @param condition largest possible length of the path's condition; 0 if it has none
   */
  private record PathStep(JsonPath path, int condition) implements Filter.Step {

    @Override
    public long work(FilterValue input) {
      return path.isDefinite() ? input.extent() : JsonPathCost.of(input.value(), condition);
    }

    @Override
    public FilterValue apply(FilterValue input) {
      return FilterValue.of(pick(path, input.value()));
    }
  }

  private static JsonPath compile(String path) {
    if (!path.startsWith("$") || path.length() > MAX_PATH) {
      throw new ExpressionException("requires a JSONPath, which starts with $, as argument 1");
    }
    if (COSTLY.matcher(path).find()) {
      throw new ExpressionException(
          "requires a JSONPath without functions, regular expressions, word operators, commas, or"
              + " a second $, .. or ?");
    }
    try {
      return JsonPath.compile(path);
    } catch (JsonPathException | IllegalArgumentException malformed) {
      throw new ExpressionException("requires a well-formed JSONPath as argument 1");
    }
  }

  private static JsonValue pick(JsonPath path, JsonValue value) {
    if (value == JsonNull.NULL) {
      return value;
    }
    List<Object> found = find(path, TextValues.toJava(value));
    if (found.size() > 1) {
      throw new ExpressionException("finds several values, but can return only one");
    }
    return found.isEmpty() ? JsonNull.NULL : toJson(found.get(0));
  }

  /** Returns at most two results. */
  private static List<Object> find(JsonPath path, Object value) {
    try {
      return path.read(value, SETTINGS);
    } catch (PathNotFoundException none) {
      return List.of();
    } catch (RuntimeException failed) {
      // The cause is omitted because it quotes the value.
      throw new ExpressionException("cannot apply this path to this value");
    }
  }

  /** Returns the JSON value for an object that the library found. */
  private static JsonValue toJson(Object value) {
    if (value == null) {
      return JsonNull.NULL;
    }
    if (value instanceof String string) {
      return JsonValue.of(string);
    }
    if (value instanceof Boolean bool) {
      return JsonValue.of(bool);
    }
    if (value instanceof Number number) {
      return new JsonNumber(number.toString());
    }
    return value instanceof Map<?, ?> properties ? object(properties) : array((List<?>) value);
  }

  private static JsonArray array(List<?> items) {
    return new JsonArray(items.stream().map(JsonPathFilter::toJson).toList());
  }

  private static JsonObject object(Map<?, ?> map) {
    Map<String, JsonValue> properties = new LinkedHashMap<>();
    map.forEach((name, property) -> properties.put((String) name, toJson(property)));
    return new JsonObject(properties);
  }

  /**
   * Estimate of the cost of a JSONPath on a value. The library builds the path of each part that it
   * visits, so that one long name above many parts takes minutes. It also parses each part again
   * for each comparison in a condition, and as a number if it resembles one.
   */
  private static final class JsonPathCost {

    /** Characters of a step in addition to its name: brackets and quotes, or an index. */
    private static final int STEP = 8;

    /** Cost of visiting a part, in characters of paths. */
    private static final int PART = 128;

    /** Largest cost of building paths, in characters. */
    private static final long MAX_PATHS = 16L << 20;

    /** Largest cost of conditions: their length times the parts that are compared. */
    private static final long MAX_CONDITIONS = 1L << 18;

    private static final int MAX_NUMBER_LENGTH = 1000;

    /** Digits whose parsing costs as much as a comparison. */
    private static final int DIGITS = 32;

    private long parts;
    private long paths;
    private long numbers;

    private JsonPathCost() {}

    /**
     * Returns the amount of work for a path that can find several parts.
     *
     * @param condition length of the path's condition; 0 if it has none
     * @throws ExpressionException if the cost exceeds a limit
     */
    static long of(JsonValue value, int condition) {
      JsonPathCost cost = new JsonPathCost();
      cost.add(value, STEP, condition > 0);
      long conditions = condition * (cost.parts + cost.numbers / DIGITS);
      if (cost.paths > MAX_PATHS) {
        throw new ExpressionException("cannot search so many parts with such long names");
      }
      if (conditions > MAX_CONDITIONS) {
        throw new ExpressionException("cannot check such a long condition on so many parts");
      }
      return cost.parts + conditions;
    }

    /** Adds the cost of a value and all of its parts. */
    private void add(JsonValue value, long path, boolean hasCondition) {
      parts++;
      paths += PART + path;
      if (value instanceof JsonArray array) {
        for (JsonValue item : array.items()) {
          add(item, path + STEP, hasCondition);
        }
      } else if (value instanceof JsonObject object) {
        for (Map.Entry<String, JsonValue> property : object.properties().entrySet()) {
          add(property.getValue(), path + STEP + property.getKey().length(), hasCondition);
        }
      } else if (hasCondition) {
        addNumber(value);
      }
    }

    /** Adds the cost of a scalar that a condition parses as a number. */
    private void addNumber(JsonValue value) {
      String text = value instanceof JsonString string ? string.value() : "";
      if (value instanceof JsonNumber number) {
        text = number.literal();
      } else if (text.isEmpty() || "+-.0123456789".indexOf(text.charAt(0)) < 0) {
        return;
      }
      if (text.length() > MAX_NUMBER_LENGTH) {
        throw new ExpressionException(
            "cannot check a condition on numbers, or strings that start like one, of more than "
                + MAX_NUMBER_LENGTH
                + " characters");
      }
      numbers += text.length();
    }
  }
}
