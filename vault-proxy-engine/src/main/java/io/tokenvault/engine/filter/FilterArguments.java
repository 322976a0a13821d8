package io.tokenvault.engine.filter;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonNumber;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import java.util.List;

/**
 * The arguments of a filter by position.
 *
 * @param values null for arguments that were omitted; the list is owned by this object
 */
record FilterArguments(List<JsonValue> values) {

  boolean has(int index) {
    return values.get(index) != null;
  }

  JsonValue value(int index) {
    return values.get(index);
  }

  /**
   * Returns a scalar as text.
   *
   * @throws ExpressionException if it is an array or an object, or too long
   */
  String text(int index) {
    JsonValue value = values.get(index);
    if (value instanceof JsonArray || value instanceof JsonObject) {
      throw new ExpressionException("requires a string as argument " + (index + 1));
    }
    String text = TextValues.printed(value);
    if (TextValues.isLonger(text, EvaluationLimits.MAX_TEXT)) {
      throw new ExpressionException(
          "requires a string of at most "
              + EvaluationLimits.written(EvaluationLimits.MAX_TEXT)
              + " as argument "
              + (index + 1));
    }
    return text;
  }

  String text(int index, String fallback) {
    return has(index) ? text(index) : fallback;
  }

  /**
   * Returns the code point of a text of exactly one character.
   *
   * @throws ExpressionException if the text has another length
   */
  int character(int index, int fallback) {
    String text = text(index, Character.toString(fallback));
    if (TextValues.length(text) != 1) {
      throw new ExpressionException("requires one character as argument " + (index + 1));
    }
    return text.codePointAt(0);
  }

  /**
   * Returns a whole number.
   *
   * @throws ExpressionException if it is not a whole number within the bounds
   */
  int integer(int index, int least, int most) {
    if (values.get(index) instanceof JsonNumber number
        && number.literal().matches("-?[0-9]{1,9}")) {
      int value = Integer.parseInt(number.literal());
      if (value >= least && value <= most) {
        return value;
      }
    }
    throw new ExpressionException(
        "requires a whole number from " + least + " to " + most + " as argument " + (index + 1));
  }

  int integer(int index, int least, int most, int fallback) {
    return has(index) ? integer(index, least, most) : fallback;
  }
}
