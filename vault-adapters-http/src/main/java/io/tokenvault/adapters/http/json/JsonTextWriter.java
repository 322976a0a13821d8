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
 * Writes the JSON of an answer member by member, in the order of the calls. The one class of this
 * module that opens sensitive values: what it is given goes to the caller, and nowhere else.
 */
public final class JsonTextWriter {

  private final JsonSink sink;

  public JsonTextWriter(JsonSink sink) {
    this.sink = sink;
  }

  public JsonTextWriter object(Consumer<Members> members) {
    sink.beginObject();
    members.accept(new Members());
    sink.endObject();
    return this;
  }

  public <T> JsonTextWriter array(List<T> items, BiConsumer<T, Members> members) {
    return items(items, item -> object(each -> members.accept(item, each)));
  }

  /** An array of anything. */
  public <T> JsonTextWriter items(List<T> items, Consumer<T> writer) {
    sink.beginArray();
    items.forEach(writer);
    sink.endArray();
    return this;
  }

  public JsonTextWriter value(JsonValue value) {
    sink.value(value);
    return this;
  }

  /** The members of an object that is being written. */
  public final class Members {

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

    public Members put(String name, Instant value) {
      return put(name, Timestamps.write(value));
    }

    public Members put(String name, boolean value) {
      return put(name, JsonValue.of(value));
    }

    public Members put(String name, long value) {
      return put(name, JsonValue.of(value));
    }

    /** Leaves the member out where there is nothing to say. */
    public <T> Members optional(String name, Optional<T> value, BiConsumer<String, T> put) {
      value.ifPresent(present -> put.accept(name, present));
      return this;
    }

    public Members texts(String name, List<String> values) {
      return put(name, new JsonValue.JsonArray(values.stream().map(JsonValue::of).toList()));
    }

    public <T> Members objects(String name, List<T> items, BiConsumer<T, Members> members) {
      sink.name(name);
      array(items, members);
      return this;
    }

    public Members object(String name, Consumer<Members> members) {
      sink.name(name);
      JsonTextWriter.this.object(members);
      return this;
    }

    /** A member whose value is whatever {@code writer} writes. */
    public Members member(String name, Runnable writer) {
      sink.name(name);
      writer.run();
      return this;
    }

    /** A key, for the one who may have it. */
    public Members secretText(String name, SensitiveValue text) {
      return put(name, new String(text.open(), StandardCharsets.UTF_8));
    }

    /** What is JSON already, as it is. */
    public Members secretJson(String name, SensitiveValue value) {
      sink.name(name);
      sink.json(value.open());
      return this;
    }
  }
}
