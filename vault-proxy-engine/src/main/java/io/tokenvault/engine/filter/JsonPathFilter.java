package io.tokenvault.engine.filter;

import com.jayway.jsonpath.Configuration;
import com.jayway.jsonpath.EvaluationListener;
import com.jayway.jsonpath.EvaluationListener.EvaluationContinuation;
import com.jayway.jsonpath.JsonPath;
import com.jayway.jsonpath.JsonPathException;
import com.jayway.jsonpath.Option;
import com.jayway.jsonpath.PathNotFoundException;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonNull;
import io.tokenvault.engine.filter.value.ExpressionException;
import io.tokenvault.engine.filter.value.FilterValue;
import io.tokenvault.engine.filter.value.JavaValues;
import io.tokenvault.engine.filter.value.JsonPathCost;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The filter {@code json}, which selects one value by JSONPath. Null is returned for null and if
 * nothing is found; several results are an error.
 */
final class JsonPathFilter {

  /** Largest length of a path, in characters. */
  private static final int MAX_PATH = 500;

  /**
   * Syntax that can take more than one pass over the value: functions, regular expressions, further
   * references to the root, several names at once, several scans or conditions, and operators on
   * lists.
   */
  private static final Pattern COSTLY =
      Pattern.compile(
          "\\w\\s*+\\(|=~|,|.\\$|\\.\\..*\\.\\.|\\?.*\\?"
              + "|\\?.*\\s(?i:in|nin|all|anyof|noneof|subsetof|contains|size|empty|type)\\s",
          Pattern.DOTALL);

  /** Ends the search at the second result, which is an error already. */
  private static final EvaluationListener UNTIL_THE_SECOND =
      found -> found.index() == 0 ? EvaluationContinuation.CONTINUE : EvaluationContinuation.ABORT;

  private static final Configuration SETTINGS =
      Configuration.builder()
          .options(Option.ALWAYS_RETURN_LIST)
          .evaluationListener(UNTIL_THE_SECOND)
          .build();

  private JsonPathFilter() {}

  /** Returns the definition of the filter. */
  static FilterDefinition definition() {
    return FilterDefinition.of("json", FilterSignature.of(1), JsonPathFilter::bind).ofAnySize();
  }

  private static Filter.Step bind(FilterArguments arguments) {
    String text = arguments.text(0);
    int mark = text.indexOf('?');
    return new PathStep(compile(text), mark < 0 ? 0 : text.length() - mark);
  }

  /**
   * Selects a value by a compiled path.
   *
   * @param condition largest possible length of the path's condition; 0 if it has none
   */
  private record PathStep(JsonPath path, int condition) implements Filter.Step {

    @Override
    public long work(FilterValue input) {
      return path.isDefinite() ? input.extent() : JsonPathCost.of(input.value(), condition);
    }

    @Override
    public FilterValue apply(FilterValue input) {
      return FilterValue.of(pick(path, input.value()));
    }
  }

  /**
   * Compiles a path.
   *
   * @throws ExpressionException if it is malformed or too costly
   */
  private static JsonPath compile(String path) {
    if (!path.startsWith("$") || path.length() > MAX_PATH) {
      throw new ExpressionException("takes a JSONPath, which begins with $, as argument 1");
    }
    if (COSTLY.matcher(path).find()) {
      throw new ExpressionException(
          "takes a JSONPath without functions, regular expressions, operators in words, commas and a second $, .. or ?");
    }
    try {
      return JsonPath.compile(path);
    } catch (JsonPathException | IllegalArgumentException malformed) {
      throw new ExpressionException("takes a well-formed JSONPath as argument 1");
    }
  }

  /** Returns the only result of a path. */
  private static JsonValue pick(JsonPath path, JsonValue value) {
    if (value == JsonNull.NULL) {
      return value;
    }
    List<Object> found = find(path, JavaValues.of(value));
    if (found.size() > 1) {
      throw new ExpressionException("finds several values, and gives only one");
    }
    return found.isEmpty() ? JsonNull.NULL : JavaValues.toJson(found.get(0));
  }

  /** Returns at most two results. */
  private static List<Object> find(JsonPath path, Object value) {
    try {
      return path.read(value, SETTINGS);
    } catch (PathNotFoundException none) {
      return List.of();
    } catch (RuntimeException failed) {
      // The cause is left out because it quotes the value.
      throw new ExpressionException("cannot work on this value with this path");
    }
  }
}
