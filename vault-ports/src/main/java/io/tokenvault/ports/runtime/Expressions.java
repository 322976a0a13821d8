package io.tokenvault.ports.runtime;

import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Evaluates expressions, <code>{{ value | filter }}</code>, in texts. What they print is never
 * evaluated again. They run strictly: an unknown filter, wrong arguments or an undefined name is a
 * violation, whose message holds nothing of the values. All threads may share one instance.
 *
 * <p>An expression that is the whole of a JSON string gives a JSON value, any other its text: a
 * string as it is, everything else as JSON.
 */
public interface Expressions {

  /** How much all expressions of one template may print together, in bytes of UTF-8. */
  int MAX_OUTPUT = 1 << 20;

  /** What evaluates the templates of one request. */
  Evaluator evaluator();

  /**
   * Finds the expressions that name tokens in the strings of a JSON value.
   *
   * @throws io.tokenvault.domain.failure.ValidationException if one is wrong
   */
  References references(JsonValue template);

  /**
   * Evaluates templates that may use only so much time, each of them and all together, and print
   * only so much: once that is spent, all others are violations. For one thread.
   */
  interface Evaluator {

    /**
     * Notes what is wrong with the expressions in the strings of a JSON value whatever they are
     * evaluated over, such as an unknown filter.
     *
     * @param path of the template, for violations
     */
    void check(JsonValue template, String path, Violations violations);

    /**
     * Forgets what was printed, for another attempt at the same request. The time that was used
     * stays used, so that a request cannot have more by having to be repeated.
     */
    void startOver();

    /**
     * Replaces the expressions in the strings of a JSON value; member names stay as they are.
     *
     * @param scope the values that expressions can name, such as {@code data}
     * @param path of the template, for violations
     * @return empty if a violation was added
     */
    Optional<JsonValue> fill(
        JsonValue template, Map<String, JsonValue> scope, String path, Violations violations);

    /** Replaces the expressions in a text; otherwise like {@link #fill}. */
    Optional<String> print(
        String template, Map<String, JsonValue> scope, String path, Violations violations);

    /**
     * A new id that resembles a value, for an expression that is the whole text and ends in exactly
     * one alias filter. At least half of the value's characters, and never fewer than four, are
     * replaced by random ones; two calls hardly ever give the same.
     *
     * @return empty if a violation was added
     */
    Optional<String> alias(
        String template, Map<String, JsonValue> scope, String path, Violations violations);
  }

  /** A JSON value with slots for tokens. */
  interface References {

    /** The ids as they are written. */
    Set<String> tokenIds();

    /**
     * Fills all slots.
     *
     * @param values of all {@link #tokenIds()}; null literals for what may not be seen, which print
     *     nothing within a text, whatever the filters
     * @throws io.tokenvault.domain.failure.ValidationException if an expression fails on its value
     */
    JsonValue fill(Map<String, JsonValue> values);
  }
}
