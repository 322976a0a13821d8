package io.tokenvault.engine.filter;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonNumber;
import io.tokenvault.domain.json.JsonValue.JsonString;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

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

  /** Returns a filter without arguments, with the default limits. */
  static FilterDefinition of(String name, Filter.Step step) {
    return of(name, FilterSignature.of(0), arguments -> step);
  }

  /**
   * Returns this filter for values as large as token data, which it only cuts, measures or encodes.
   */
  FilterDefinition ofAnySize() {
    return new FilterDefinition(
        name, signature, filter, EvaluationLimits.MAX_BYTES, Integer.MAX_VALUE);
  }

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
      throw new ExpressionException(
          "requires strings of at most " + EvaluationLimits.written(maxText));
    }
    if (value instanceof JsonArray list && list.items().size() > maxItems) {
      throw new ExpressionException("requires lists of at most " + maxItems + " items");
    }
  }

  /**
   * The arguments that a filter takes.
   *
   * @param required number of required arguments, which come first
   * @param names names of the optional arguments that may be passed by name, in order
   */
  record FilterSignature(int required, int most, List<String> names) {

    FilterSignature {
      names = List.copyOf(names);
    }

    /** Returns a signature whose optional arguments have no names. */
    static FilterSignature of(int required, int most) {
      return new FilterSignature(required, most, List.of());
    }

    /** Returns a signature whose optional arguments, if there are any, have names. */
    static FilterSignature of(int required, String... names) {
      return new FilterSignature(required, required + names.length, List.of(names));
    }

    /**
     * Returns the arguments by position.
     *
     * @throws ExpressionException if they do not match the signature
     */
    FilterArguments arrange(List<JsonValue> given, Map<String, JsonValue> named) {
      check(given.size(), named.keySet());
      List<JsonValue> values = new ArrayList<>(Collections.nCopies(most, (JsonValue) null));
      for (int i = 0; i < given.size(); i++) {
        values.set(i, given.get(i));
      }
      named.forEach((name, value) -> values.set(required + names.indexOf(name), value));
      return new FilterArguments(values);
    }

    /**
     * Checks the number and the names of arguments. The message quotes no name, because names come
     * from the caller.
     *
     * @throws ExpressionException if they do not match the signature
     */
    void check(int given, Iterable<String> named) {
      if (given < required || given > most) {
        throw new ExpressionException("takes " + range() + ", not " + given);
      }
      for (String name : named) {
        int index = names.indexOf(name);
        if (index < 0) {
          throw new ExpressionException("has no argument of that name");
        }
        if (required + index < given) {
          throw new ExpressionException("has an argument twice");
        }
      }
    }

    /** Returns the permitted number of arguments as text. */
    private String range() {
      if (most == 0) {
        return "no arguments";
      }
      String count = required == most ? String.valueOf(most) : required + " to " + most;
      return count + (most == 1 ? " argument" : " arguments");
    }
  }
}
