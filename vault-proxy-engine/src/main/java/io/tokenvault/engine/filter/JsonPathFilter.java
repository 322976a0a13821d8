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

/** Picks one value out of another by JSONPath. */
final class JsonPathFilter {

  private static final int MAX_PATH = 500;

  /**
   * What can take more than one pass over the value: functions, regular expressions, further looks
   * at the root, several names at once, several scans or conditions, and operators on lists.
   */
  private static final Pattern COSTLY =
      Pattern.compile(
          "\\w\\s*+\\(|=~|,|.\\$|\\.\\..*\\.\\.|\\?.*\\?"
              + "|\\?.*\\s(?i:in|nin|all|anyof|noneof|subsetof|contains|size|empty|type)\\s",
          Pattern.DOTALL);

  private static final EvaluationListener UNTIL_THE_SECOND =
      found -> found.index() == 0 ? EvaluationContinuation.CONTINUE : EvaluationContinuation.ABORT;
  private static final Configuration SETTINGS =
      Configuration.builder()
          .options(Option.ALWAYS_RETURN_LIST)
          .evaluationListener(UNTIL_THE_SECOND)
          .build();

  private JsonPathFilter() {}

  static FilterDefinition definition() {
    return FilterDefinition.of("json", FilterSignature.of(1), JsonPathFilter::bind).ofAnySize();
  }

  private static Filter.Step bind(FilterArguments arguments) {
    String text = arguments.text(0);
    int mark = text.indexOf('?');
    return new PathStep(compile(text), mark < 0 ? 0 : text.length() - mark);
  }

  /**
   * A path to one value.
   *
   * @param condition how long its condition is, at most; 0 for none
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

  private static List<Object> find(JsonPath path, Object value) {
    try {
      return path.read(value, SETTINGS);
    } catch (PathNotFoundException none) {
      return List.of();
    } catch (RuntimeException failed) {
      // Without the cause, which quotes the value.
      throw new ExpressionException("cannot work on this value with this path");
    }
  }
}
