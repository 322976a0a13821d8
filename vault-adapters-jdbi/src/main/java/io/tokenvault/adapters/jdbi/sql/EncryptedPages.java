package io.tokenvault.adapters.jdbi.sql;

import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.Page;
import io.tokenvault.ports.store.PageRequest;
import org.jdbi.v3.core.Handle;

/**
 * Reads pages of applications, proxies or tokens whose large columns need a memory reservation.
 *
 * <p>The first statement reads the page without its large columns if they exceed a small size; a
 * second one reads them once memory is reserved. See {@link SizedRead}.
 */
public final class EncryptedPages {

  private final Handle handle;
  private final PageQuery paging;
  private final QueryFilter filter;
  private final PageRequest request;

  /**
   * Creates a reader of one page.
   *
   * @param handle the connection to read with
   * @param paging a query whose columns depend on {@code :room} and contain a {@code weight}; see
   *     {@link StoredColumns}
   * @param filter the conditions on the rows
   * @param request the page to read
   */
  public EncryptedPages(Handle handle, PageQuery paging, QueryFilter filter, PageRequest request) {
    this.handle = handle;
    this.paging = paging;
    this.filter = filter;
    this.request = request;
  }

  /**
   * Reads the page.
   *
   * @param room the reservation that is increased by the size of the large columns
   * @throws io.tokenvault.domain.failure.RefusedException if the memory is not available
   */
  public Page<StoredRow> read(MemoryReservation room) {
    return SizedRead.read(this::read, EncryptedPages::weight, room).map(Weighed::row);
  }

  /** Runs the statement with the number of bytes that the large columns may have. */
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
   * A row of the page.
   *
   * @param weight the size of the large columns of the whole page, in bytes
   * @param row the record's columns
   */
  private record Weighed(long weight, StoredRow row) {}
}
