package io.tokenvault.server.audit;

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
import io.tokenvault.server.json.JacksonJson;
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
 * The fields of a JSON object, written and read with the types of the audit log.
 *
 * <p>Reading a field that is absent or has another type throws an {@link IllegalArgumentException}.
 */
final class JsonMembers {

  private static final JacksonJson JSON = new JacksonJson();

  private final Map<String, JsonValue> members;

  private JsonMembers(Map<String, JsonValue> members) {
    this.members = members;
  }

  JsonMembers() {
    this(new LinkedHashMap<>());
  }

  /**
   * Returns the fields of an object.
   *
   * @throws IllegalArgumentException if the value is not an object
   */
  static JsonMembers of(JsonValue value) {
    if (value instanceof JsonObject object) {
      return new JsonMembers(object.members());
    }
    throw new IllegalArgumentException("not an object");
  }

  /**
   * Parses a line.
   *
   * @throws IllegalArgumentException if the line is not a JSON object
   */
  static JsonMembers ofLine(String line) {
    try {
      return of(JSON.read(line.getBytes(StandardCharsets.UTF_8)));
    } catch (ValidationException malformed) {
      throw new IllegalArgumentException("not JSON");
    }
  }

  /** Returns the object as JSON text without a line feed. */
  String line() {
    return new String(JSON.write(json()), StandardCharsets.UTF_8);
  }

  JsonObject json() {
    return new JsonObject(members);
  }

  JsonMembers with(String name, JsonValue value) {
    members.put(name, value);
    return this;
  }

  JsonMembers with(String name, String value) {
    return with(name, JsonValue.of(value));
  }

  /** Adds a string, or null if it is empty. */
  JsonMembers with(String name, Optional<String> value) {
    return with(name, value.<JsonValue>map(JsonValue::of).orElse(JsonNull.NULL));
  }

  JsonMembers with(String name, long value) {
    return with(name, JsonValue.of(value));
  }

  JsonMembers with(String name, List<? extends JsonValue> items) {
    return with(name, new JsonArray(List.copyOf(items)));
  }

  /**
   * Adds the bytes of a tag in Base64, and its key id as {@code NAME_key}, unsigned as in the
   * keyset file.
   */
  JsonMembers with(String name, LogTag tag) {
    return with(name, Base64.getEncoder().encodeToString(tag.bytes()))
        .with(name + "_key", Integer.toUnsignedLong(tag.keyId()));
  }

  boolean has(String name) {
    return members.containsKey(name);
  }

  /** Returns a field that must be present. */
  JsonValue value(String name) {
    JsonValue value = members.get(name);
    if (value == null) {
      throw new IllegalArgumentException("no " + name);
    }
    return value;
  }

  String text(String name) {
    if (value(name) instanceof JsonString text) {
      return text.value();
    }
    throw new IllegalArgumentException("no text " + name);
  }

  /** Returns a string; empty if the field is null. The field itself must be present. */
  Optional<String> optionalText(String name) {
    return value(name) instanceof JsonNull ? Optional.empty() : Optional.of(text(name));
  }

  long number(String name) {
    if (value(name) instanceof JsonNumber number) {
      return Long.parseLong(number.literal());
    }
    throw new IllegalArgumentException("no number " + name);
  }

  /** Returns whether the field is true; any other value is false. */
  boolean flag(String name) {
    return value(name) instanceof JsonBoolean flag && flag.value();
  }

  List<JsonValue> items(String name) {
    if (value(name) instanceof JsonArray array) {
      return array.items();
    }
    throw new IllegalArgumentException("no array " + name);
  }

  UUID uuid(String name) {
    return UUID.fromString(text(name));
  }

  TenantId tenant() {
    return new TenantId(uuid("tenant_id"));
  }

  /** Reads a time in the ISO 8601 format of {@link Instant#toString}. */
  Instant time(String name) {
    try {
      return Instant.parse(text(name));
    } catch (DateTimeException malformed) {
      throw new IllegalArgumentException("no time " + name);
    }
  }

  /** Reads a hash in hexadecimal digits. */
  LogHash hash(String name) {
    return LogHash.ofHex(text(name));
  }

  /** Reads a tag from the two fields that {@link #with(String, LogTag)} adds. */
  LogTag tag(String name) {
    long key = number(name + "_key");
    return new LogTag((int) key, Base64.getDecoder().decode(text(name)));
  }
}
