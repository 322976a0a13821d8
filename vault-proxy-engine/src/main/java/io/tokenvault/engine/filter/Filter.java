package io.tokenvault.engine.filter;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.engine.filter.value.ExpressionException;
import io.tokenvault.engine.filter.value.FilterValue;
import java.util.function.Function;

/** What a filter makes of a value, once its arguments are known. */
@FunctionalInterface
interface Filter {

  /**
   * @throws ExpressionException if the arguments are wrong, whatever the value
   */
  Step bind(FilterArguments arguments);

  /** A filter with its arguments. All threads may share one. */
  @FunctionalInterface
  interface Step {

    /**
     * @throws ExpressionException if the value is not one for this filter
     */
    FilterValue apply(FilterValue input);

    /**
     * How much there is to do, in characters and items.
     *
     * @throws ExpressionException if it is more than a filter may do
     */
    default long work(FilterValue input) {
      return input.extent();
    }
  }

  /** A step from a text to a text. */
  static Step text(Function<String, String> change) {
    return input -> FilterValue.of(JsonValue.of(change.apply(input.text())));
  }

  /** A step from a value to a value. */
  static Step value(Function<JsonValue, JsonValue> change) {
    return input -> FilterValue.of(change.apply(input.value()));
  }
}
