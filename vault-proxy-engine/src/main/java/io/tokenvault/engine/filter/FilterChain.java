package io.tokenvault.engine.filter;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonString;
import io.tokenvault.engine.filter.EvaluationLimits.LimitsSpentException;
import io.tokenvault.engine.filter.Filter.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The filters of an expression, in order. Immutable.
 *
 * <pre>{@code
 * FilterChain chain = FilterChain.parse("| slice: 0, 6 | append: '...'");
 * JsonValue result = chain.apply(value, noNames, EvaluationLimits.start(System::nanoTime));
 * }</pre>
 */
public final class FilterChain {

  /** The closed list of all filters by name, except the alias filters. */
  private static final Map<String, FilterDefinition> FILTERS =
      Stream.of(
              TextFilters.all(),
              NumberFilters.all(),
              ListFilters.all(),
              ConversionFilters.all(),
              MaskFilters.all(),
              List.of(DateFilter.definition(), JsonPathFilter.definition()))
          .flatMap(List::stream)
          .collect(Collectors.toUnmodifiableMap(FilterDefinition::name, Function.identity()));

  private final List<Link> links;

  private FilterChain(List<Link> links) {
    this.links = List.copyOf(links);
  }

  /** Returns the names of all filters, except the alias filters. */
  static Set<String> names() {
    return FILTERS.keySet();
  }

  /**
   * Parses filters from the first bar on. Literal arguments are checked, too.
   *
   * @throws ExpressionException if a filter is unknown or its arguments are invalid
   */
  public static FilterChain parse(String text) {
    return of(FilterCall.read(text));
  }

  /**
   * Returns the chain of parsed filters.
   *
   * @throws ExpressionException if a filter is unknown or its arguments are invalid
   */
  static FilterChain of(List<FilterCall> calls) {
    List<Link> links = new ArrayList<>();
    for (FilterCall call : calls) {
      links.add(Link.of(call));
    }
    return new FilterChain(links);
  }

  /**
   * Loads the libraries of the filters. This takes longer than an expression may, so it is done
   * before the first one.
   */
  public static void warmUp() {
    FilterChain chain = parse("| json: '$' | append: '' | date: '%Y' | stringify");
    chain.apply(JsonValue.of("2026-01-31"), EvaluationLimits.start(() -> 0));
  }

  /**
   * Requires that this chain can be applied without names, as in an expression over a token.
   *
   * @throws ExpressionException if an argument is a name
   */
  public void requireLiterals() {
    for (Link link : links) {
      if (link.bound.isEmpty()) {
        throw link.call.failure("supports only quoted strings, numbers, true, false and null");
      }
    }
  }

  /**
   * Applies all filters in order, as {@link #apply(JsonValue, Function, EvaluationLimits)} does, if
   * all of their arguments are literals.
   */
  public JsonValue apply(JsonValue value, EvaluationLimits limits) {
    return apply(value, Link::none, limits);
  }

  /**
   * Applies all filters in order and checks the limits before, between and after them.
   *
   * @param names resolves the names that are arguments
   * @throws ExpressionException if a filter cannot be applied or the limits are exhausted
   */
  public JsonValue apply(
      JsonValue value, Function<ObjectPath, JsonValue> names, EvaluationLimits limits) {
    FilterValue operand = FilterValue.of(value);
    for (Link link : links) {
      limits.checkTime();
      operand = link.apply(operand, names, limits);
    }
    limits.checkTime();
    return operand.value();
  }

  /** A filter of the chain; its step is bound in advance if all arguments are literals. */
  private record Link(FilterCall call, FilterDefinition definition, Optional<Step> bound) {

    /**
     * Returns the link for a call.
     *
     * @throws ExpressionException if the filter is unknown or its arguments are invalid
     */
    static Link of(FilterCall call) {
      FilterDefinition definition =
          Optional.ofNullable(FILTERS.get(call.name())).orElseThrow(() -> unknown(call));
      Link link = new Link(call, definition, Optional.empty());
      return link.named(link::checked);
    }

    private static ExpressionException unknown(FilterCall call) {
      return new ExpressionException(
          AliasTemplate.NAMES.contains(call.name())
              ? "an alias filter can only be the last filter of an id"
              : "filter " + call.place() + " is unknown");
    }

    /** Checks the arguments, and binds them if they are literals. */
    private Link checked() {
      definition.signature().check(call.arguments().size(), call.named().keySet());
      return call.isLiteral() ? new Link(call, definition, Optional.of(bind(Link::none))) : this;
    }

    private static JsonValue none(ObjectPath path) {
      throw new IllegalStateException("literals have no names");
    }

    /** Applies the filter within its own limits and those of the expression. */
    FilterValue apply(
        FilterValue input, Function<ObjectPath, JsonValue> names, EvaluationLimits limits) {
      return named(
          () -> {
            definition.requireFits(input.value());
            Step step = bound.orElseGet(() -> bind(names));
            limits.work(step.work(input));
            return sized(step.apply(input));
          });
    }

    private Step bind(Function<ObjectPath, JsonValue> names) {
      return definition.filter().bind(call.arguments(definition.signature(), names));
    }

    /** Returns a result whose size is within the limits. */
    private static FilterValue sized(FilterValue result) {
      if (result.value() instanceof JsonString text) {
        TextFilters.requireWithinLimit(TextValues.size(text.value()));
      }
      if (result.value() instanceof JsonArray list
          && list.items().size() > EvaluationLimits.MAX_ITEMS) {
        throw new ExpressionException(
            "results in a list of more than " + EvaluationLimits.MAX_ITEMS + " items");
      }
      return result;
    }

    /** Runs an action, adding the name of the filter to the message of its failure. */
    private <T> T named(Supplier<T> action) {
      try {
        return action.get();
      } catch (LimitsSpentException spent) {
        throw spent;
      } catch (ExpressionException failed) {
        throw call.failure(failed.getMessage());
      }
    }
  }

  /** Returns the number of filters only: arguments can be secret. */
  @Override
  public String toString() {
    return "FilterChain[" + links.size() + " filters]";
  }
}
