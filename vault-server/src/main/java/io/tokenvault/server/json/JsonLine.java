package io.tokenvault.server.json;

import io.tokenvault.domain.audit.integrity.LogHash;
import io.tokenvault.domain.audit.integrity.LogTag;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonBoolean;
import io.tokenvault.domain.json.JsonValue.JsonNull;
import io.tokenvault.domain.json.JsonValue.JsonNumber;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.JsonValue.JsonString;
import io.tokenvault.domain.tenant.TenantId;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * A line of JSON that holds one object, written and read field by field with the types of the
 * vault.
 *
 * <p>Fields are in the order in which they were added. Reading a field that is absent or has
 * another type throws an {@link IllegalArgumentException}.
 *
 * <pre>{@code
 * out.println(new JsonLine().with("month", "2025-01").with("entries", 12));
 * }</pre>
 */
public final class JsonLine {

  private static final JacksonJson JSON = new JacksonJson();

  private final Map<String, JsonValue> properties;

  private JsonLine(Map<String, JsonValue> properties) {
    this.properties = properties;
  }

  /** Creates a line without fields. */
  public JsonLine() {
    this(new LinkedHashMap<>());
  }

  /**
   * Returns the fields of an object.
   *
   * @throws IllegalArgumentException if the value is not an object
   */
  public static JsonLine of(JsonValue value) {
    if (value instanceof JsonObject object) {
      return new JsonLine(object.properties());
    }
    throw new IllegalArgumentException("not an object");
  }

  /**
   * Parses a line.
   *
   * @throws IllegalArgumentException if the line is not a JSON object
   */
  public static JsonLine ofLine(String line) {
    try {
      return of(JSON.read(line.getBytes(StandardCharsets.UTF_8)));
    } catch (ValidationException malformed) {
      throw new IllegalArgumentException("not JSON");
    }
  }

  /** Returns the line without a line feed. */
  @Override
  public String toString() {
    return new String(JSON.write(json()), StandardCharsets.UTF_8);
  }

  /** Returns the line with its line feed, in UTF-8. */
  public byte[] bytes() {
    return (this + "\n").getBytes(StandardCharsets.UTF_8);
  }

  public JsonObject json() {
    return new JsonObject(properties);
  }

  public JsonLine with(String name, JsonValue value) {
    properties.put(name, value);
    return this;
  }

  public JsonLine with(String name, String value) {
    return with(name, JsonValue.of(value));
  }

  /** Adds a string, or null if it is empty. */
  public JsonLine with(String name, Optional<String> value) {
    return with(name, value.<JsonValue>map(JsonValue::of).orElse(JsonNull.NULL));
  }

  public JsonLine with(String name, long value) {
    return with(name, JsonValue.of(value));
  }

  /** Adds a boolean. */
  public JsonLine with(String name, boolean value) {
    return with(name, JsonValue.of(value));
  }

  /** Adds an array. */
  public JsonLine with(String name, List<? extends JsonValue> items) {
    return with(name, new JsonArray(List.copyOf(items)));
  }

  /**
   * Adds the bytes of a tag in Base64, and its key id as {@code NAME_key}, unsigned as in the
   * keyset file.
   */
  public JsonLine with(String name, LogTag tag) {
    return with(name, Base64.getEncoder().encodeToString(tag.bytes()))
        .with(name + "_key", Integer.toUnsignedLong(tag.keyId()));
  }

  public boolean has(String name) {
    return properties.containsKey(name);
  }

  /** Returns a field that must be present. */
  public JsonValue value(String name) {
    JsonValue value = properties.get(name);
    if (value == null) {
      throw new IllegalArgumentException("no " + name);
    }
    return value;
  }

  public String text(String name) {
    if (value(name) instanceof JsonString text) {
      return text.value();
    }
    throw new IllegalArgumentException("no text " + name);
  }

  /** Returns a string; empty if the field is null. The field itself must be present. */
  public Optional<String> optionalText(String name) {
    return value(name) instanceof JsonNull ? Optional.empty() : Optional.of(text(name));
  }

  public long number(String name) {
    if (value(name) instanceof JsonNumber number) {
      return Long.parseLong(number.literal());
    }
    throw new IllegalArgumentException("no number " + name);
  }

  /** Returns whether the field is true; any other value is false. */
  public boolean flag(String name) {
    return value(name) instanceof JsonBoolean flag && flag.value();
  }

  public List<JsonValue> items(String name) {
    if (value(name) instanceof JsonArray array) {
      return array.items();
    }
    throw new IllegalArgumentException("no array " + name);
  }

  public UUID uuid(String name) {
    return UUID.fromString(text(name));
  }

  public TenantId tenant() {
    return new TenantId(uuid("tenant_id"));
  }

  /** Reads a time in the ISO 8601 format of {@link Instant#toString}. */
  public Instant time(String name) {
    try {
      return Instant.parse(text(name));
    } catch (DateTimeException malformed) {
      throw new IllegalArgumentException("no time " + name);
    }
  }

  /** Reads a hash in hexadecimal digits. */
  public LogHash hash(String name) {
    return LogHash.ofHex(text(name));
  }

  /** Reads a tag from the two fields that {@link #with(String, LogTag)} adds. */
  public LogTag tag(String name) {
    long key = number(name + "_key");
    return new LogTag((int) key, Base64.getDecoder().decode(text(name)));
  }
}
