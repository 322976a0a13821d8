package io.tokenvault.adapters.http;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A failure as callers see it (RFC 7807).
 *
 * @param errors messages by property path; empty but for failed validations and transforms
 * @param headers that the answer needs beside the body
 */
record Problem(
    String type,
    String title,
    int status,
    String detail,
    Map<String, List<String>> errors,
    Map<String, String> headers) {

  JsonObject toJson(TraceId trace) {
    Map<String, JsonValue> members = new LinkedHashMap<>();
    members.put("type", JsonValue.of(type));
    members.put("title", JsonValue.of(title));
    members.put("status", JsonValue.of(status));
    members.put("detail", JsonValue.of(detail));
    members.put("instance", JsonValue.of(trace.urn()));
    if (!errors.isEmpty()) {
      members.put("errors", errorsJson());
    }
    return new JsonObject(members);
  }

  private JsonObject errorsJson() {
    Map<String, JsonValue> members = new LinkedHashMap<>();
    errors.forEach(
        (path, messages) ->
            members.put(path, new JsonArray(messages.stream().map(JsonValue::of).toList())));
    return new JsonObject(members);
  }
}
