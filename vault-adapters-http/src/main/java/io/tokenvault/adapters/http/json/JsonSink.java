package io.tokenvault.adapters.http.json;

import io.tokenvault.domain.json.JsonValue;

/**
 * Receives the JSON of a response as a sequence of events: values in arrays, names and values in
 * objects.
 *
 * <p>Calls must be balanced, and every name must be followed by exactly one value, object or array.
 * {@link JsonTextWriter} guarantees this.
 */
interface JsonSink {

  void beginObject();

  /** Starts a property, whose value follows. */
  void name(String name);

  void endObject();

  void beginArray();

  void endArray();

  /** Adds a value of any type. */
  void value(JsonValue value);

  /**
   * Adds a value that is already serialized.
   *
   * @param value valid JSON in UTF-8
   */
  void json(byte[] value);
}
