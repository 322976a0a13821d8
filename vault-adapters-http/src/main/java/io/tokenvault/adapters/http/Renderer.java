package io.tokenvault.adapters.http;

import io.tokenvault.adapters.http.JsonText.Members;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.tenant.Provenance;
import io.tokenvault.ports.spi.JsonCodec;
import io.tokenvault.ports.spi.Page;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Turns what use cases give into JSON. */
final class Renderer {

  private final JsonCodec json;

  Renderer(JsonCodec json) {
    this.json = json;
  }

  <T> byte[] one(T item, BiConsumer<T, Members> members) {
    return new JsonText(json).object(each -> members.accept(item, each)).toBytes();
  }

  /** A value that is JSON already. */
  byte[] value(JsonValue value) {
    return json.write(value);
  }

  /** What {@code writer} writes. */
  byte[] text(Consumer<JsonText> writer) {
    JsonText text = new JsonText(json);
    writer.accept(text);
    return text.toBytes();
  }

  /** A list without pages. */
  <T> byte[] all(List<T> items, BiConsumer<T, Members> members) {
    return new JsonText(json).array(items, members).toBytes();
  }

  <T> byte[] page(Page<T> page, BiConsumer<T, Members> members) {
    return new JsonText(json)
        .object(
            list ->
                list.object("pagination", pagination -> describe(page, pagination))
                    .objects("data", page.items(), members))
        .toBytes();
  }

  private static void describe(Page<?> page, Members pagination) {
    pagination
        .put("total_items", page.totalItems())
        .put("page_number", page.request().page())
        .put("page_size", page.request().size())
        .put("total_pages", page.totalPages());
  }

  /**
   * A part of a list that is walked by cursor.
   *
   * @param next empty at the end
   */
  <T> byte[] slice(
      List<T> items, Optional<LogCursor> next, int size, BiConsumer<T, Members> members) {
    return new JsonText(json)
        .object(
            list ->
                list.object("pagination", pagination -> describe(next, size, pagination))
                    .objects("data", items, members))
        .toBytes();
  }

  private static void describe(Optional<LogCursor> next, int size, Members pagination) {
    pagination.optional("next", next.map(LogCursor::text), pagination::put).put("page_size", size);
  }

  /** Who made something and changed it. */
  static void provenance(Provenance provenance, Members members) {
    members
        .optional("created_by", provenance.createdBy(), members::put)
        .put("created_at", provenance.createdAt())
        .optional("modified_by", provenance.modifiedBy(), members::put)
        .optional("modified_at", provenance.modifiedAt(), members::put);
  }
}
