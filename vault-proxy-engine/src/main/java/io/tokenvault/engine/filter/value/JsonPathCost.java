package io.tokenvault.engine.filter.value;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonNumber;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.JsonValue.JsonString;
import java.util.Map;

/**
 * Estimate of the cost of a JSONPath on a value. The library builds the path of each part that it
 * visits, so that one long name above many parts takes minutes. It also parses each part again for
 * each comparison in a condition, and as a number if it resembles one.
 */
public final class JsonPathCost {

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
  public static long of(JsonValue value, int condition) {
    JsonPathCost cost = new JsonPathCost();
    cost.add(value, STEP, condition > 0);
    long conditions = condition * (cost.parts + cost.numbers / DIGITS);
    if (cost.paths > MAX_PATHS) {
      throw new ExpressionException("cannot look through so many parts with names so long");
    }
    if (conditions > MAX_CONDITIONS) {
      throw new ExpressionException("cannot check a condition so long on so many parts");
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
      for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
        add(member.getValue(), path + STEP + member.getKey().length(), hasCondition);
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
          "cannot check a condition on numbers, or texts that begin like one, of more than "
              + MAX_NUMBER_LENGTH
              + " characters");
    }
    numbers += text.length();
  }
}
