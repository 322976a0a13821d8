package io.tokenvault.adapters.http.json;

import io.tokenvault.domain.json.JsonValue;

/** Takes the JSON of an answer piece by piece: values in arrays, names and values in objects. */
interface JsonSink {

  void beginObject();

  /** Of the member whose value is next. */
  void name(String name);

  void endObject();

  void beginArray();

  void endArray();

  void value(JsonValue value);

  /** A value that is JSON already, in UTF-8. */
  void json(byte[] value);
}
