package io.tokenvault.adapters.jdbi;

import io.tokenvault.ports.spi.Page;
import io.tokenvault.ports.spi.PageRequest;
import io.tokenvault.ports.spi.Room;
import org.jdbi.v3.core.Handle;

/**
 * Reads pages of tokens or proxies. What is sealed of one comes with the first statement if it is
 * little, and else with a second, for which there is room then.
 */
final class SealedPages {

  /** In bytes; so much of a page is loaded before anybody was asked. */
  private static final long LITTLE = 256 << 10;

  private final Handle handle;
  private final Paging paging;
  private final Filter filter;
  private final PageRequest request;

  /**
   * @param paging of columns that are within a {@code room} and have a {@code weight}
   */
  SealedPages(Handle handle, Paging paging, Filter filter, PageRequest request) {
    this.handle = handle;
    this.paging = paging;
    this.filter = filter;
    this.request = request;
  }

  Page<StoredRow> read(Room room) {
    long granted = LITTLE;
    Page<Weighed> page = read(granted);
    long weight = weight(page);
    room.take(weight);
    while (weight > granted) {
      granted = weight;
      page = read(granted);
      weight = weight(page);
      // Somebody may have added to it meanwhile.
      room.take(Math.max(0, weight - granted));
    }
    return page.map(Weighed::row);
  }

  private Page<Weighed> read(long room) {
    return Paging.page(
        paging.query(handle, filter, request).bind("room", room),
        request,
        (row, context) -> new Weighed(row.getLong("weight"), StoredRow.read(row, context)));
  }

  private static long weight(Page<Weighed> page) {
    return page.items().isEmpty() ? 0 : page.items().get(0).weight();
  }

  /**
   * A row.
   *
   * @param weight of what is sealed of the whole page
   */
  private record Weighed(long weight, StoredRow row) {}
}
