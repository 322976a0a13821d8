package io.tokenvault.adapters.http.json;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.ports.runtime.JsonCodec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Builds a JSON value from the JSON of a response, for callers inside this process.
 *
 * <p>Serializing and parsing again would fail for values that nest deeper than a request may, such
 * as a list of tokens whose data has the greatest depth. Not thread-safe.
 */
public final class JsonTreeWriter implements JsonSink {

  private final JsonCodec json;
  // The consumers that place the next value: the root, an array, or a property.
  private final Deque<Consumer<JsonValue>> places = new ArrayDeque<>();
  private final Deque<Map<String, JsonValue>> objects = new ArrayDeque<>();
  private final Deque<List<JsonValue>> arrays = new ArrayDeque<>();
  private JsonValue root;

  public JsonTreeWriter(JsonCodec json) {
    this.json = json;
    places.push(value -> root = value);
  }

  /** Returns the value; null until it is complete. */
  public JsonValue toValue() {
    return root;
  }

  @Override
  public void beginObject() {
    objects.push(new LinkedHashMap<>());
  }

  @Override
  public void name(String name) {
    Map<String, JsonValue> members = objects.element();
    places.push(
        value -> {
          members.put(name, value);
          places.pop();
        });
  }

  @Override
  public void endObject() {
    value(new JsonObject(objects.pop()));
  }

  @Override
  public void beginArray() {
    List<JsonValue> items = new ArrayList<>();
    arrays.push(items);
    places.push(items::add);
  }

  @Override
  public void endArray() {
    places.pop();
    value(new JsonArray(arrays.pop()));
  }

  @Override
  public void value(JsonValue value) {
    places.element().accept(value);
  }

  @Override
  public void json(byte[] value) {
    value(json.read(value));
  }
}
