package io.tokenvault.engine.filter;

import java.util.Set;

/** Exposes the names of all filters to documentation tests in other packages. */
public final class DocumentedFilters {

  private DocumentedFilters() {}

  public static Set<String> names() {
    return FilterChain.names();
  }
}
