package io.tokenvault.engine.transform;

import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.engine.exchange.BodyMemoryBudget;
import io.tokenvault.ports.api.ServiceClient;
import io.tokenvault.ports.runtime.JsonCodec;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.memory.MemoryBudget;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Adapter between the client calls in worker messages and the vault's {@code ServiceClient}.
 *
 * <p>A worker sends the arguments of a {@code bt} call as a JSON list and receives its result as
 * JSON; this record does both conversions and charges their memory to the invocation.
 */
public record ClientJson(JsonCodec codec) {

  /**
   * Calls an operation of the client with the permissions of the given caller.
   *
   * @param operation the name of the operation without the {@code bt.} prefix
   * @param json the arguments as a JSON list
   * @param memory the reservation of the invocation; a second reservation is opened on its budget
   *     and released when this method returns
   * @return the result as JSON; the literal {@code null} if there is none
   * @throws ValidationException if {@code json} is not a list
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
      own.take(MemoryBudget.costOfJson(text));
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
