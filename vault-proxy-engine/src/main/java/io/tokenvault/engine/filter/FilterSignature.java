package io.tokenvault.engine.filter;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.engine.filter.value.ExpressionException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * Which arguments a filter takes.
 *
 * @param names of the optional ones that can be given by name, in their order
 */
record FilterSignature(int required, int most, List<String> names) {

  FilterSignature {
    names = List.copyOf(names);
  }

  static FilterSignature of(int arguments) {
    return new FilterSignature(arguments, arguments, List.of());
  }

  static FilterSignature of(int required, int most) {
    return new FilterSignature(required, most, List.of());
  }

  static FilterSignature of(int required, String... names) {
    return new FilterSignature(required, required + names.length, List.of(names));
  }

  FilterArguments arrange(List<JsonValue> given, Map<String, JsonValue> named) {
    check(given.size(), named.keySet());
    List<JsonValue> values = new ArrayList<>(Collections.nCopies(most, (JsonValue) null));
    for (int i = 0; i < given.size(); i++) {
      values.set(i, given.get(i));
    }
    named.forEach((name, value) -> values.set(required + names.indexOf(name), value));
    return new FilterArguments(values);
  }

  /** Notes nothing of the names, which are the caller's. */
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

  private String range() {
    if (most == 0) {
      return "no arguments";
    }
    String count = required == most ? String.valueOf(most) : required + " to " + most;
    return count + (most == 1 ? " argument" : " arguments");
  }
}
