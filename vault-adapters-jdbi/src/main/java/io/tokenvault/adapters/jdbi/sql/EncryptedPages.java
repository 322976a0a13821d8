package io.tokenvault.adapters.jdbi.sql;

import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.Page;
import io.tokenvault.ports.store.PageRequest;
import org.jdbi.v3.core.Handle;

/** Reads pages of applications, proxies or tokens: what is large of one as by {@link SizedRead}. */
public final class EncryptedPages {

  private final Handle handle;
  private final PageQuery paging;
  private final QueryFilter filter;
  private final PageRequest request;

  /**
   * @param paging of columns that are within a {@code room} and have a {@code weight}
   */
  public EncryptedPages(Handle handle, PageQuery paging, QueryFilter filter, PageRequest request) {
    this.handle = handle;
    this.paging = paging;
    this.filter = filter;
    this.request = request;
  }

  public Page<StoredRow> read(MemoryReservation room) {
    return SizedRead.read(this::read, EncryptedPages::weight, room).map(Weighed::row);
  }

  private Page<Weighed> read(long room) {
    return PageQuery.page(
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
