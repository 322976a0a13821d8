package io.tokenvault.engine.filter;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonNumber;
import io.tokenvault.domain.json.JsonValue.JsonString;
import io.tokenvault.engine.filter.value.EvaluationLimits;
import io.tokenvault.engine.filter.value.ExpressionException;
import io.tokenvault.engine.filter.value.TextValues;

/**
 * A filter that expressions can name.
 *
 * @param maxText how many bytes of UTF-8 a text may have that the filter works on
 * @param maxItems how many items a list may have that the filter works on
 */
record FilterDefinition(
    String name, FilterSignature signature, Filter filter, int maxText, int maxItems) {

  static FilterDefinition of(String name, FilterSignature signature, Filter filter) {
    return new FilterDefinition(
        name, signature, filter, EvaluationLimits.MAX_TEXT, EvaluationLimits.MAX_ITEMS);
  }

  /** The same for texts and lists as large as a token's data, which it only cuts or measures. */
  FilterDefinition ofAnySize() {
    return new FilterDefinition(
        name, signature, filter, EvaluationLimits.MAX_BYTES, Integer.MAX_VALUE);
  }

  /** The same for so many items at most. */
  FilterDefinition ofItems(int most) {
    return new FilterDefinition(name, signature, filter, maxText, most);
  }

  /**
   * @throws ExpressionException if the value is larger than the filter works on
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
