package io.tokenvault.adapters.http;

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
final class JsonText {

  private final JsonSink sink;

  JsonText(JsonSink sink) {
    this.sink = sink;
  }

  JsonText object(Consumer<Members> members) {
    sink.beginObject();
    members.accept(new Members());
    sink.endObject();
    return this;
  }

  <T> JsonText array(List<T> items, BiConsumer<T, Members> members) {
    return items(items, item -> object(each -> members.accept(item, each)));
  }

  /** An array of anything. */
  <T> JsonText items(List<T> items, Consumer<T> writer) {
    sink.beginArray();
    items.forEach(writer);
    sink.endArray();
    return this;
  }

  JsonText value(JsonValue value) {
    sink.value(value);
    return this;
  }

  /** The members of an object that is being written. */
  final class Members {

    Members put(String name, JsonValue value) {
      sink.name(name);
      sink.value(value);
      return this;
    }

    Members put(String name, String value) {
      return put(name, JsonValue.of(value));
    }

    Members put(String name, UUID value) {
      return put(name, value.toString());
    }

    Members put(String name, Instant value) {
      return put(name, Timestamps.write(value));
    }

    Members put(String name, boolean value) {
      return put(name, JsonValue.of(value));
    }

    Members put(String name, long value) {
      return put(name, JsonValue.of(value));
    }

    /** Leaves the member out where there is nothing to say. */
    <T> Members optional(String name, Optional<T> value, BiConsumer<String, T> put) {
      value.ifPresent(present -> put.accept(name, present));
      return this;
    }

    Members texts(String name, List<String> values) {
      return put(name, new JsonValue.JsonArray(values.stream().map(JsonValue::of).toList()));
    }

    <T> Members objects(String name, List<T> items, BiConsumer<T, Members> members) {
      sink.name(name);
      array(items, members);
      return this;
    }

    Members object(String name, Consumer<Members> members) {
      sink.name(name);
      JsonText.this.object(members);
      return this;
    }

    /** A member whose value is whatever {@code writer} writes. */
    Members member(String name, Runnable writer) {
      sink.name(name);
      writer.run();
      return this;
    }

    /** A key, for the one who may have it. */
    Members secretText(String name, SensitiveValue text) {
      return put(name, new String(text.open(), StandardCharsets.UTF_8));
    }

    /** What is JSON already, as it is. */
    Members secretJson(String name, SensitiveValue value) {
      sink.name(name);
      sink.json(value.open());
      return this;
    }
  }
}
