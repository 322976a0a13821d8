package io.tokenvault.engine.filter;

/** A filter that expressions can name. */
record FilterDefinition(String name, Signature signature, Filter filter) {

  static FilterDefinition of(String name, Signature signature, Filter filter) {
    return new FilterDefinition(name, signature, filter);
  }
}
