package io.tokenvault.domain.json;

import io.tokenvault.domain.json.JsonValue.JsonNull;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;

/** Applies JSON merge patches (RFC 7386). */
public final class MergePatch {

  private static final JsonObject NO_PROPERTIES = new JsonObject(Map.of());

  private MergePatch() {}

  /** Returns the patched target. Existing properties retain their order; new ones follow. */
  public static JsonValue apply(JsonValue target, JsonValue patch) {
    if (!(patch instanceof JsonObject changes)) {
      return patch;
    }
    JsonObject base = target instanceof JsonObject object ? object : NO_PROPERTIES;
    Map<String, JsonValue> properties = new LinkedHashMap<>(base.properties());
    changes.properties().forEach((name, change) -> applyProperty(properties, name, change));
    return new JsonObject(properties);
  }

  /**
   * Returns the patched target, in which properties that the patch removes from an object are null.
   * A reader that treats null as missing also finds the unknown ones among them.
   */
  public static JsonValue applyKeepingNames(JsonValue target, JsonValue patch) {
    JsonValue patched = apply(target, patch);
    if (!(patch instanceof JsonObject changes) || !(patched instanceof JsonObject object)) {
      return patched;
    }
    Map<String, JsonValue> properties = new LinkedHashMap<>(object.properties());
    changes.properties().keySet().forEach(name -> properties.putIfAbsent(name, JsonNull.NULL));
    return new JsonObject(properties);
  }

  private static void applyProperty(
      Map<String, JsonValue> properties, String name, JsonValue change) {
    if (change == JsonNull.NULL) {
      properties.remove(name);
    } else {
      properties.put(name, apply(properties.getOrDefault(name, JsonNull.NULL), change));
    }
  }

  /** Returns whether any value of the target remains after the patch. */
  public static boolean keepsSome(JsonValue target, JsonValue patch) {
    if (!(target instanceof JsonObject base) || !(patch instanceof JsonObject changes)) {
      return false;
    }
    return base.properties().entrySet().stream()
        .anyMatch(
            property ->
                !changes.properties().containsKey(property.getKey())
                    || keepsSome(property.getValue(), changes.properties().get(property.getKey())));
  }
}
