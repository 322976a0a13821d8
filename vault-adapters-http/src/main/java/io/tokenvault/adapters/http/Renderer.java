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
    return text(object(item, members));
  }

  /** A value that is JSON already. */
  byte[] value(JsonValue value) {
    return json.write(value);
  }

  /** What {@code writer} writes. */
  byte[] text(Consumer<JsonText> writer) {
    JsonBytes bytes = new JsonBytes(json);
    writer.accept(new JsonText(bytes));
    return bytes.toBytes();
  }

  /** The same, for whom it does not go through text. */
  JsonValue tree(Consumer<JsonText> writer) {
    JsonTree tree = new JsonTree(json);
    writer.accept(new JsonText(tree));
    return tree.toValue();
  }

  /** A list without pages. */
  <T> byte[] all(List<T> items, BiConsumer<T, Members> members) {
    return text(array(items, members));
  }

  <T> byte[] page(Page<T> page, BiConsumer<T, Members> members) {
    return text(list(page, members));
  }

  /** Writes one item. */
  static <T> Consumer<JsonText> object(T item, BiConsumer<T, Members> members) {
    return text -> text.object(each -> members.accept(item, each));
  }

  /** Writes a list without pages. */
  static <T> Consumer<JsonText> array(List<T> items, BiConsumer<T, Members> members) {
    return text -> text.array(items, members);
  }

  /** Writes a page of a list. */
  static <T> Consumer<JsonText> list(Page<T> page, BiConsumer<T, Members> members) {
    return text ->
        text.object(
            list ->
                list.object("pagination", pagination -> describe(page, pagination))
                    .objects("data", page.items(), members));
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
    return text(
        text ->
            text.object(
                list ->
                    list.object("pagination", pagination -> describe(next, size, pagination))
                        .objects("data", items, members)));
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
