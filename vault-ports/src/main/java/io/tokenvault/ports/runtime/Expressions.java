package io.tokenvault.ports.runtime;

import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Evaluates expressions, <code>{{ value | filter }}</code>, in strings.
 *
 * <p>Output is never evaluated again. Evaluation is strict: an unknown filter, wrong arguments or
 * an undefined name is a violation, whose message contains nothing of the values. An expression
 * that is the whole of a JSON string yields a JSON value; any other is replaced by its output: a
 * string as it is, everything else as JSON.
 *
 * <p>Implementations are thread-safe.
 */
public interface Expressions {

  /** The limit on the output of all expressions of one template, in bytes of UTF-8. */
  int MAX_OUTPUT = 1 << 20;

  /** Returns an evaluator for the templates of one request. */
  Evaluator evaluator();

  /**
   * Finds the expressions that name tokens in the strings of a JSON value.
   *
   * @throws io.tokenvault.domain.failure.ValidationException if one is invalid
   */
  References references(JsonValue template);

  /**
   * Evaluates templates with limits on time, per template and in total, and on output. Once a limit
   * is exceeded, all remaining templates are violations. Not thread-safe.
   */
  interface Evaluator {

    /**
     * Adds violations for expressions in the strings of a JSON value that are invalid regardless of
     * the values, such as an unknown filter.
     *
     * @param path the path of the template, for violations
     */
    void check(JsonValue template, String path, Violations violations);

    /**
     * Resets the output limit before a retry of the request. Time already used still counts, so
     * that a retry grants a request no more time.
     */
    void startOver();

    /**
     * Replaces the expressions in the strings of a JSON value; property names stay as they are.
     *
     * @param scope the values that expressions can name, such as {@code data}
     * @param path the path of the template, for violations
     * @return empty if a violation was added
     */
    Optional<JsonValue> render(
        JsonValue template, Map<String, JsonValue> scope, String path, Violations violations);

    /** Replaces the expressions in a string; otherwise like {@link #render}. */
    Optional<String> print(
        String template, Map<String, JsonValue> scope, String path, Violations violations);

    /**
     * Generates an alias from an expression that is the whole string and ends in exactly one alias
     * filter. At least half of the value's characters, and at least four, are replaced by random
     * ones; two calls hardly ever return equal aliases.
     *
     * @return empty if a violation was added
     */
    Optional<String> alias(
        String template, Map<String, JsonValue> scope, String path, Violations violations);
  }

  /** A JSON value with placeholders for tokens. */
  interface References {

    /** Returns the token ids as they are written in the expressions. */
    Set<String> tokenIds();

    /**
     * Replaces all placeholders.
     *
     * @param values a value for each of {@link #tokenIds()}; null literals for tokens that may not
     *     be shown, which yield no output within a string, whatever the filters
     * @throws io.tokenvault.domain.failure.ValidationException if an expression fails on its value
     */
    JsonValue render(Map<String, JsonValue> values);
  }
}
