package io.tokenvault.engine.transform;

import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.engine.exchange.BodyMemoryBudget;
import io.tokenvault.ports.api.ServiceClient;
import io.tokenvault.ports.runtime.JsonCodec;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.memory.JsonCost;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What calls of the vault's client, and their results, are in the messages of workers. */
public record ClientJson(JsonCodec codec) {

  /**
   * Calls the client.
   *
   * @param json the arguments, a list
   * @param memory of the invocation, from whose budget this takes what it needs until it returns
   * @return the result; the null literal for none
   */
  public String call(
      ServiceClient client,
      Caller caller,
      String operation,
      String json,
      BodyMemoryBudget.Reservation memory) {
    try (BodyMemoryBudget.Reservation own = memory.openAnother()) {
      own.take(json.length());
      byte[] text = json.getBytes(StandardCharsets.UTF_8);
      own.take(JsonCost.of(text));
      JsonValue result = client.call(caller, operation, arguments(text), own);
      return result == null ? "null" : new String(codec.write(result), StandardCharsets.UTF_8);
    }
  }

  private List<JsonValue> arguments(byte[] json) {
    if (codec.read(json) instanceof JsonArray arguments) {
      return arguments.items();
    }
    throw ValidationException.of("error", "The arguments are no list.");
  }
}
