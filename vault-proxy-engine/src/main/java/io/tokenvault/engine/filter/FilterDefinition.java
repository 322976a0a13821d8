package io.tokenvault.engine.filter;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonNumber;
import io.tokenvault.domain.json.JsonValue.JsonString;
import io.tokenvault.engine.filter.value.EvaluationLimits;
import io.tokenvault.engine.filter.value.ExpressionException;
import io.tokenvault.engine.filter.value.TextValues;

/**
 * A filter that expressions can use by name, and the size of values that it accepts.
 *
 * @param maxText largest text that the filter accepts, in bytes of UTF-8
 * @param maxItems largest list that the filter accepts, in items
 */
record FilterDefinition(
    String name, FilterSignature signature, Filter filter, int maxText, int maxItems) {

  /** Returns a filter with the default limits. */
  static FilterDefinition of(String name, FilterSignature signature, Filter filter) {
    return new FilterDefinition(
        name, signature, filter, EvaluationLimits.MAX_TEXT, EvaluationLimits.MAX_ITEMS);
  }

  /**
   * Returns this filter for values as large as token data, which it only cuts, measures or encodes.
   */
  FilterDefinition ofAnySize() {
    return new FilterDefinition(
        name, signature, filter, EvaluationLimits.MAX_BYTES, Integer.MAX_VALUE);
  }

  /** Returns this filter with another limit for items. */
  FilterDefinition ofItems(int most) {
    return new FilterDefinition(name, signature, filter, maxText, most);
  }

  /**
   * Requires a value within the limits.
   *
   * @throws ExpressionException if the value is larger than the filter accepts
   */
  void requireFits(JsonValue value) {
    if ((value instanceof JsonString text && TextValues.isLonger(text.value(), maxText))
        || (value instanceof JsonNumber number && number.literal().length() > maxText)) {
      throw new ExpressionException("takes texts of at most " + EvaluationLimits.written(maxText));
    }
    if (value instanceof JsonArray list && list.items().size() > maxItems) {
      throw new ExpressionException("takes lists of at most " + maxItems + " items");
    }
  }
}
