package io.tokenvault.engine;

import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.ports.spi.JsonCodec;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What calls of the vault's client, and their results, are in the messages of workers. */
record ClientJson(JsonCodec codec) {

  List<JsonValue> arguments(String json) {
    if (codec.read(json.getBytes(StandardCharsets.UTF_8)) instanceof JsonArray arguments) {
      return arguments.items();
    }
    throw ValidationException.of("error", "The arguments are no list.");
  }

  /**
   * @param result null for none
   */
  String text(JsonValue result) {
    return result == null ? "null" : new String(codec.write(result), StandardCharsets.UTF_8);
  }
}
