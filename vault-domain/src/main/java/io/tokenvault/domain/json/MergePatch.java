package io.tokenvault.domain.json;

import io.tokenvault.domain.json.JsonValue.JsonNull;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;

/** Applies JSON merge patches (RFC 7386). */
public final class MergePatch {

  private static final JsonObject NO_MEMBERS = new JsonObject(Map.of());

  private MergePatch() {}

  /** Returns the patched target. Existing properties retain their order; new ones follow. */
  public static JsonValue apply(JsonValue target, JsonValue patch) {
    if (!(patch instanceof JsonObject changes)) {
      return patch;
    }
    JsonObject base = target instanceof JsonObject object ? object : NO_MEMBERS;
    Map<String, JsonValue> members = new LinkedHashMap<>(base.members());
    changes.members().forEach((name, change) -> applyMember(members, name, change));
    return new JsonObject(members);
  }

  private static void applyMember(Map<String, JsonValue> members, String name, JsonValue change) {
    if (change == JsonNull.NULL) {
      members.remove(name);
    } else {
      members.put(name, apply(members.getOrDefault(name, JsonNull.NULL), change));
    }
  }

  /** Returns whether any value of the target remains after the patch. */
  public static boolean keepsSome(JsonValue target, JsonValue patch) {
    if (!(target instanceof JsonObject base) || !(patch instanceof JsonObject changes)) {
      return false;
    }
    return base.members().entrySet().stream()
        .anyMatch(
            member ->
                !changes.members().containsKey(member.getKey())
                    || keepsSome(member.getValue(), changes.members().get(member.getKey())));
  }
}
