package io.tokenvault.adapters.jdbi;

import io.tokenvault.ports.spi.Versions;
import java.util.LinkedHashMap;
import java.util.Map;

/** What the calls of a batch decided on. Calls that decided on the same share a condition. */
final class ConditionNumbers {

  private final Map<Versions, Integer> numbers = new LinkedHashMap<>();

  /** The number of the condition. */
  int of(Versions versions) {
    return numbers.computeIfAbsent(versions, unused -> numbers.size());
  }

  /** All that were asked for. */
  Conditions conditions() {
    Conditions all = new Conditions();
    numbers.forEach(all::add);
    return all;
  }
}
