package io.tokenvault.adapters.jdbi;

import io.tokenvault.ports.spi.MemoryReservation;
import io.tokenvault.ports.spi.Page;
import io.tokenvault.ports.spi.PageRequest;
import org.jdbi.v3.core.Handle;

/**
 * Reads pages of applications, proxies or tokens: what is large of one as by {@link MeasuredRead}.
 */
final class SealedPages {

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

  Page<StoredRow> read(MemoryReservation room) {
    return MeasuredRead.read(this::read, SealedPages::weight, room).map(Weighed::row);
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
   * @param weight of what is large of the whole page
   */
  private record Weighed(long weight, StoredRow row) {}
}
