package io.tokenvault.domain.json;

import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Creates JSON values from Java values. */
public final class JsonValues {

  private JsonValues() {}

  /** Returns an object of alternating names and values; a value is JSON, a string or an integer. */
  public static JsonObject object(Object... namesAndValues) {
    Map<String, JsonValue> properties = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      properties.put((String) namesAndValues[i], json(namesAndValues[i + 1]));
    }
    return new JsonObject(properties);
  }

  public static JsonArray array(JsonValue... items) {
    return new JsonArray(List.of(items));
  }

  private static JsonValue json(Object value) {
    if (value instanceof Integer number) {
      return JsonValue.of(number);
    }
    return value instanceof JsonValue json ? json : JsonValue.of((String) value);
  }
}
