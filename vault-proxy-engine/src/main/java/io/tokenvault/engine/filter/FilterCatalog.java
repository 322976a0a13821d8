package io.tokenvault.engine.filter;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The closed list of all filters by name, except the alias filters. */
final class FilterCatalog {

  private static final Map<String, FilterDefinition> DEFINITIONS =
      Stream.of(
              TextFilters.all(),
              NumberFilters.all(),
              ListFilters.all(),
              ConversionFilters.all(),
              MaskFilters.all(),
              List.of(DateFilter.definition(), JsonPathFilter.definition()))
          .flatMap(List::stream)
          .collect(Collectors.toUnmodifiableMap(FilterDefinition::name, Function.identity()));

  private FilterCatalog() {}

  /** Returns the filter of a name; empty if it is unknown. */
  static Optional<FilterDefinition> find(String name) {
    return Optional.ofNullable(DEFINITIONS.get(name));
  }

  /** Returns the names of all filters. */
  static Set<String> names() {
    return DEFINITIONS.keySet();
  }
}
