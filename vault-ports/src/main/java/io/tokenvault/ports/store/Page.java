package io.tokenvault.ports.store;

import java.util.List;
import java.util.function.Function;

/**
 * A page of a list.
 *
 * @param items empty after the last page
 * @param totalItems the number of items on all pages
 * @param request the request for this page
 */
public record Page<T>(List<T> items, long totalItems, PageRequest request) {
  public Page {
    items = List.copyOf(items);
  }

  /** Returns the number of pages, rounded up. */
  public long totalPages() {
    return (totalItems + request.size() - 1) / request.size();
  }

  /** Returns a page with each item replaced by its mapping. */
  public <R> Page<R> map(Function<T, R> mapping) {
    return new Page<>(items.stream().map(mapping).toList(), totalItems, request);
  }
}
