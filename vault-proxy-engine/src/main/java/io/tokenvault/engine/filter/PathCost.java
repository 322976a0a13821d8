package io.tokenvault.engine.filter;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import java.util.Map;

/**
 * How long the paths of all parts of a value are together. The library writes out the path of each
 * part that it looks at, so that one long name over many parts takes minutes.
 */
final class PathLengths {

  /** Brackets, quotes, or an index. */
  private static final int STEP = 8;

  private PathLengths() {}

  static long sum(JsonValue value) {
    return sum(value, STEP);
  }

  private static long sum(JsonValue value, long path) {
    long sum = path;
    if (value instanceof JsonArray array) {
      for (JsonValue item : array.items()) {
        sum += sum(item, path + STEP);
      }
    } else if (value instanceof JsonObject object) {
      for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
        sum += sum(member.getValue(), path + STEP + member.getKey().length());
      }
    }
    return sum;
  }
}
