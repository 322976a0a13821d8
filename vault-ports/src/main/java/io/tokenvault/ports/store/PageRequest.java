package io.tokenvault.ports.store;

/**
 * A request for one page of a list.
 *
 * @param page the page number, starting at 1
 * @param size the number of items per page, at least 1
 */
public record PageRequest(int page, int size) {
  public PageRequest {
    if (page < 1 || size < 1) {
      throw new IllegalArgumentException("pages and sizes start at 1");
    }
  }

  /** Returns the number of items before the page. */
  public long offset() {
    return (page - 1L) * size;
  }
}
