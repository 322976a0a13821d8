package io.tokenvault.engine.filter;

import io.tokenvault.domain.json.JsonValue;
import java.util.function.Function;

/**
 * A filter, which becomes a step once its arguments are known. Thread-safe.
 *
 * <pre>{@code
 * Filter upcase = arguments -> Filter.text(CaseMapping::upper);
 * }</pre>
 */
@FunctionalInterface
interface Filter {

  /**
   * Checks the arguments and returns the step that applies them.
   *
   * @throws ExpressionException if the arguments are invalid, whatever the value
   */
  Step bind(FilterArguments arguments);

  /** A filter with its arguments. Thread-safe. */
  @FunctionalInterface
  interface Step {

    /**
     * Applies the filter to a value, without changing the value.
     *
     * @throws ExpressionException if the filter cannot be applied to the value
     */
    FilterValue apply(FilterValue input);

    /**
     * Returns the amount of work for a value, in characters and items.
     *
     * @throws ExpressionException if it exceeds the limit of a single filter
     */
    default long work(FilterValue input) {
      return input.extent();
    }
  }

  static Step text(Function<String, String> change) {
    return input -> FilterValue.of(JsonValue.of(change.apply(input.text())));
  }

  static Step value(Function<JsonValue, JsonValue> change) {
    return input -> FilterValue.of(change.apply(input.value()));
  }
}
