package io.tokenvault.domain.request;

import io.tokenvault.domain.failure.Violations;
import java.util.Map;

/**
 * Fields that an update cannot change, as a client sent them back: each has to have its stored
 * value, so that what was read can be sent as it is, and no client believes that it changed one.
 *
 * @param given the values that were sent, by name
 */
public record UnchangedFields(Map<String, Object> given) {

  /** Nothing was sent back. */
  public static final UnchangedFields NONE = new UnchangedFields(Map.of());

  public UnchangedFields {
    given = Map.copyOf(given);
  }

  /**
   * Notes each that does not have its stored value.
   *
   * @param stored all that can be sent back, of the types in which it is read; without those that
   *     the resource does not have
   */
  public void check(Map<String, Object> stored, Violations violations) {
    given.forEach(
        (name, value) -> {
          if (!value.equals(stored.get(name))) {
            violations.add(name, "cannot be changed; send the stored value, or leave it out");
          }
        });
  }

  /** Nothing: a key can be among them. */
  @Override
  public String toString() {
    return "UnchangedFields[redacted]";
  }
}
