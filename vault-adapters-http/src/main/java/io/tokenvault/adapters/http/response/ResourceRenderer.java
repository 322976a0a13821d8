package io.tokenvault.adapters.http.response;

import io.tokenvault.adapters.http.json.JsonBytes;
import io.tokenvault.adapters.http.json.JsonTextWriter;
import io.tokenvault.adapters.http.json.JsonTextWriter.Members;
import io.tokenvault.adapters.http.json.JsonTreeWriter;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.tenant.Provenance;
import io.tokenvault.ports.runtime.JsonCodec;
import io.tokenvault.ports.store.Page;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Renders the results of use cases as JSON: single resources, lists, pages, and parts of lists with
 * a cursor.
 *
 * <p>The caller supplies the method that writes the properties of one item: {@code
 * renderer.page(page, TokenJson::token)}. Thread-safe.
 */
public final class ResourceRenderer {

  private final JsonCodec json;

  public ResourceRenderer(JsonCodec json) {
    this.json = json;
  }

  /** Renders one item as a JSON object. */
  public <T> byte[] one(T item, BiConsumer<T, Members> members) {
    return text(object(item, members));
  }

  /** Renders a JSON value as it is. */
  public byte[] value(JsonValue value) {
    return json.write(value);
  }

  /** Renders as UTF-8 text whatever {@code writer} writes. */
  public byte[] text(Consumer<JsonTextWriter> writer) {
    JsonBytes bytes = new JsonBytes(json);
    writer.accept(new JsonTextWriter(bytes));
    return bytes.toBytes();
  }

  /** Renders as a JSON value whatever {@code writer} writes, for callers inside this process. */
  public JsonValue tree(Consumer<JsonTextWriter> writer) {
    JsonTreeWriter tree = new JsonTreeWriter(json);
    writer.accept(new JsonTextWriter(tree));
    return tree.toValue();
  }

  /** Renders a complete list as a JSON array. */
  public <T> byte[] all(List<T> items, BiConsumer<T, Members> members) {
    return text(array(items, members));
  }

  /** Renders a page of a list with its pagination. */
  public <T> byte[] page(Page<T> page, BiConsumer<T, Members> members) {
    return text(list(page, members));
  }

  /** Returns a writer of one item. */
  public static <T> Consumer<JsonTextWriter> object(T item, BiConsumer<T, Members> members) {
    return text -> text.object(each -> members.accept(item, each));
  }

  /** Returns a writer of a complete list. */
  public static <T> Consumer<JsonTextWriter> array(List<T> items, BiConsumer<T, Members> members) {
    return text -> text.array(items, members);
  }

  /** Returns a writer of a page of a list. */
  public static <T> Consumer<JsonTextWriter> list(Page<T> page, BiConsumer<T, Members> members) {
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
   * Renders a part of a list that is read with a cursor.
   *
   * @param next the position after the last item; empty at the end of the list
   * @param size the requested number of items
   */
  public <T> byte[] slice(
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

  /** Writes who created and last changed a resource, and when. */
  public static void provenance(Provenance provenance, Members members) {
    members
        .optional("created_by", provenance.createdBy(), members::put)
        .put("created_at", provenance.createdAt())
        .optional("modified_by", provenance.modifiedBy(), members::put)
        .optional("modified_at", provenance.modifiedAt(), members::put);
  }
}
