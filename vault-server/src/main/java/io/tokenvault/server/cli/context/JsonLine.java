package io.tokenvault.server.cli.context;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.server.json.JacksonJson;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** A line of JSON that a command prints, with its members in the order in which they were given. */
public final class JsonLine {

  private final Map<String, JsonValue> members = new LinkedHashMap<>();

  public JsonLine with(String name, String value) {
    return with(name, JsonValue.of(value));
  }

  public JsonLine with(String name, long value) {
    return with(name, JsonValue.of(value));
  }

  public JsonLine with(String name, boolean value) {
    return with(name, JsonValue.of(value));
  }

  public JsonLine with(String name, JsonValue value) {
    members.put(name, value);
    return this;
  }

  @Override
  public String toString() {
    return new String(new JacksonJson().write(new JsonObject(members)), StandardCharsets.UTF_8);
  }
}
