package io.tokenvault.engine.filter;

import java.util.Set;

/** Lets tests of other packages know what a page has to name. */
public final class DocumentedFilters {

  private DocumentedFilters() {}

  public static Set<String> names() {
    return FilterChain.names();
  }
}
