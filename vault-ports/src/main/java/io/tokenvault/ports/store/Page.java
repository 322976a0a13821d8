package io.tokenvault.ports.store;

import java.util.List;
import java.util.function.Function;

/**
 * A page of a list.
 *
 * @param items empty past the end
 * @param totalItems how many items all pages have together
 */
public record Page<T>(List<T> items, long totalItems, PageRequest request) {
  public Page {
    items = List.copyOf(items);
  }

  public long totalPages() {
    return (totalItems + request.size() - 1) / request.size();
  }

  public <R> Page<R> map(Function<T, R> mapping) {
    return new Page<>(items.stream().map(mapping).toList(), totalItems, request);
  }
}
