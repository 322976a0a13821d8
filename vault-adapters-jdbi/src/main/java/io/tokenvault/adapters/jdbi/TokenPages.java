package io.tokenvault.adapters.jdbi;

import io.tokenvault.ports.spi.Page;
import io.tokenvault.ports.spi.PageRequest;
import io.tokenvault.ports.spi.Room;
import io.tokenvault.ports.spi.StoredToken;
import org.jdbi.v3.core.Handle;

/**
 * Reads pages of tokens. What is sealed of one comes with the first statement if it is little, and
 * else with a second, for which there is room then.
 */
final class TokenPages {

  private static final Paging NEWEST_FIRST =
      new Paging(StoredColumns.TOKEN_WITHIN_ROOM, "token", "created_at DESC, token_id");

  /** In bytes; so much of a page is loaded before anybody was asked. */
  private static final long LITTLE = 256 << 10;

  private final Handle handle;
  private final Filter filter;
  private final PageRequest request;

  TokenPages(Handle handle, Filter filter, PageRequest request) {
    this.handle = handle;
    this.filter = filter;
    this.request = request;
  }

  Page<StoredToken> read(Room room) {
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
    return page.map(each -> each.row().toStoredToken());
  }

  private Page<Weighed> read(long room) {
    return Paging.page(
        NEWEST_FIRST.query(handle, filter, request).bind("room", room),
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
