package io.tokenvault.domain.request;

import io.tokenvault.domain.failure.Violations;
import java.util.Map;

/**
 * Read-only properties that a client sent back in an update. Each must have its stored value, so
 * that a resource can be sent back as it was read, and no client believes that it changed one.
 *
 * @param given the values that were sent, by name
 */
public record UnchangedFields(Map<String, Object> given) {

  /** No properties were sent back. */
  public static final UnchangedFields NONE = new UnchangedFields(Map.of());

  public UnchangedFields {
    given = Map.copyOf(given);
  }

  /**
   * Adds a violation for each property that does not have its stored value.
   *
   * @param stored all values that can be sent back, of the types in which they are read; without
   *     those that the resource does not have
   */
  public void check(Map<String, Object> stored, Violations violations) {
    given.forEach(
        (name, value) -> {
          if (!value.equals(stored.get(name))) {
            violations.add(name, "cannot be changed; send the stored value or omit it");
          }
        });
  }

  /** Returns no content, because a key can be among the values. */
  @Override
  public String toString() {
    return "UnchangedFields[redacted]";
  }
}
