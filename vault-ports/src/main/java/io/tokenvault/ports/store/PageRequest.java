package io.tokenvault.ports.store;

/**
 * A page of a list by number.
 *
 * @param page from 1
 * @param size how many items a page has, from 1
 */
public record PageRequest(int page, int size) {
  public PageRequest {
    if (page < 1 || size < 1) {
      throw new IllegalArgumentException("pages and sizes start at 1");
    }
  }

  /** How many items come before the page. */
  public long offset() {
    return (page - 1L) * size;
  }
}
