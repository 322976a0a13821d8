package io.tokenvault.adapters.http.json;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.secret.SensitiveValue;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Writes the JSON of a response, property by property, in the order of the calls.
 *
 * <p>For example, {@code writer.object(members -> members.put("status", "ready"))} writes {@code
 * {"status":"ready"}}. This is the only class of this module that exposes sensitive values while
 * rendering: its output is the body of the caller's response and must not be logged.
 */
public final class JsonTextWriter {

  private final JsonSink sink;

  public JsonTextWriter(JsonSink sink) {
    this.sink = sink;
  }

  /** Writes an object, whose properties {@code members} writes. */
  public JsonTextWriter object(Consumer<Members> members) {
    sink.beginObject();
    members.accept(new Members());
    sink.endObject();
    return this;
  }

  /**
   * Writes an array of objects, one for each item.
   *
   * @param members writes the properties of one item
   */
  public <T> JsonTextWriter array(List<T> items, BiConsumer<T, Members> members) {
    return items(items, item -> object(each -> members.accept(item, each)));
  }

  /**
   * Writes an array of values of any type.
   *
   * @param writer writes exactly one value for each item
   */
  public <T> JsonTextWriter items(List<T> items, Consumer<T> writer) {
    sink.beginArray();
    items.forEach(writer);
    sink.endArray();
    return this;
  }

  /** Writes a value as it is. */
  public JsonTextWriter value(JsonValue value) {
    sink.value(value);
    return this;
  }

  /** The properties of an object that is being written. Each method writes one property. */
  public final class Members {

    /** Writes a property with any JSON value. Names must be unique within an object. */
    public Members put(String name, JsonValue value) {
      sink.name(name);
      sink.value(value);
      return this;
    }

    public Members put(String name, String value) {
      return put(name, JsonValue.of(value));
    }

    public Members put(String name, UUID value) {
      return put(name, value.toString());
    }

    /** Writes a time in ISO 8601, in UTC with microseconds. */
    public Members put(String name, Instant value) {
      return put(name, Timestamps.write(value));
    }

    public Members put(String name, boolean value) {
      return put(name, JsonValue.of(value));
    }

    public Members put(String name, long value) {
      return put(name, JsonValue.of(value));
    }

    /**
     * Writes a property if its value is present; otherwise omits it.
     *
     * @param put the method that writes the value under the name
     */
    public <T> Members optional(String name, Optional<T> value, BiConsumer<String, T> put) {
      value.ifPresent(present -> put.accept(name, present));
      return this;
    }

    /** Writes an array of strings. */
    public Members texts(String name, List<String> values) {
      return put(name, new JsonValue.JsonArray(values.stream().map(JsonValue::of).toList()));
    }

    /** Writes an array of objects, one for each item. */
    public <T> Members objects(String name, List<T> items, BiConsumer<T, Members> members) {
      sink.name(name);
      array(items, members);
      return this;
    }

    /** Writes an object, whose properties {@code members} writes. */
    public Members object(String name, Consumer<Members> members) {
      sink.name(name);
      JsonTextWriter.this.object(members);
      return this;
    }

    /** Writes a property whose value {@code writer} writes. It must write exactly one value. */
    public Members member(String name, Runnable writer) {
      sink.name(name);
      writer.run();
      return this;
    }

    /**
     * Writes a secret, such as an API key, as a string. For callers that are authorized to see it.
     *
     * @param text in UTF-8
     */
    public Members secretText(String name, SensitiveValue text) {
      return put(name, new String(text.open(), StandardCharsets.UTF_8));
    }

    /**
     * Writes sensitive data that is already JSON. For callers that are authorized to see it.
     *
     * @param value JSON in UTF-8
     */
    public Members secretJson(String name, SensitiveValue value) {
      sink.name(name);
      sink.json(value.open());
      return this;
    }
  }
}
