package io.tokenvault.adapters.http.json;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.ports.runtime.JsonCodec;
import java.io.ByteArrayOutputStream;

/** Writes the JSON of a response as UTF-8 text. Not thread-safe. */
public final class JsonBytes implements JsonSink {

  private final JsonCodec json;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  // Whether a comma has to precede the next name or value.
  private boolean another;

  public JsonBytes(JsonCodec json) {
    this.json = json;
  }

  /**
   * Returns the text written so far; a complete JSON text once all objects and arrays are closed.
   */
  public byte[] toBytes() {
    return out.toByteArray();
  }

  @Override
  public void beginObject() {
    begin('{');
  }

  @Override
  public void name(String name) {
    separate();
    out.writeBytes(json.write(JsonValue.of(name)));
    out.write(':');
    another = false;
  }

  @Override
  public void endObject() {
    end('}');
  }

  @Override
  public void beginArray() {
    begin('[');
  }

  @Override
  public void endArray() {
    end(']');
  }

  @Override
  public void value(JsonValue value) {
    json(json.write(value));
  }

  @Override
  public void json(byte[] value) {
    separate();
    out.writeBytes(value);
    another = true;
  }

  private void begin(char bracket) {
    separate();
    out.write(bracket);
    another = false;
  }

  private void end(char bracket) {
    out.write(bracket);
    another = true;
  }

  /** Writes a comma unless this is the first element, or the value of a property. */
  private void separate() {
    if (another) {
      out.write(',');
    }
  }
}
