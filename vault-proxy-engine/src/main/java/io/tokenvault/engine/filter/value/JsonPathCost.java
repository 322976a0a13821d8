package io.tokenvault.engine.filter.value;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonNumber;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.JsonValue.JsonString;
import java.util.Map;

/**
 * What a JSONPath costs on a value. The library writes out the path of each part that it looks at,
 * so that one long name over many parts takes minutes; and it reads each part anew for each
 * comparison of a condition, whatever looks like a number as one.
 */
public final class JsonPathCost {

  /** Brackets, quotes, or an index. */
  private static final int STEP = 8;

  /** Looking at a part takes as long as writing so many characters. */
  private static final int PART = 128;

  private static final long MAX_PATHS = 16L << 20;
  private static final long MAX_CONDITIONS = 1L << 18;
  private static final int MAX_NUMBER_LENGTH = 1000;

  /** Reading so many digits takes as long as a comparison. */
  private static final int DIGITS = 32;

  private long parts;
  private long paths;
  private long numbers;

  private JsonPathCost() {}

  /**
   * How much there is to do for a path that can find several parts.
   *
   * @param condition how long the path's condition is; 0 for none
   * @throws ExpressionException if that is too much
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
