package io.tokenvault.server.cli.context;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.server.json.JacksonJson;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A line of JSON that a command prints. Fields are in the order in which they were added.
 *
 * <pre>{@code
 * out.println(new JsonLine().with("month", "2025-01").with("entries", 12));
 * }</pre>
 */
public final class JsonLine {

  private final Map<String, JsonValue> members = new LinkedHashMap<>();

  /** Adds a string. */
  public JsonLine with(String name, String value) {
    return with(name, JsonValue.of(value));
  }

  /** Adds a whole number. */
  public JsonLine with(String name, long value) {
    return with(name, JsonValue.of(value));
  }

  /** Adds a boolean. */
  public JsonLine with(String name, boolean value) {
    return with(name, JsonValue.of(value));
  }

  /** Adds any JSON value; a repeated name replaces the earlier value. */
  public JsonLine with(String name, JsonValue value) {
    members.put(name, value);
    return this;
  }

  /** Returns the line without a line feed. */
  @Override
  public String toString() {
    return new String(new JacksonJson().write(new JsonObject(members)), StandardCharsets.UTF_8);
  }
}
