package io.tokenvault.engine;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.ports.api.ServiceClient;
import io.tokenvault.ports.memory.SmallJsonCodec;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.usecase.authorization.Caller;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** A service client that records its calls and returns the response that a test sets. */
public final class ScriptedClient implements ServiceClient {

  /** A recorded call. */
  public record Called(Caller caller, String operation, List<JsonValue> arguments) {}

  private final List<Called> calls = new CopyOnWriteArrayList<>();
  private volatile Supplier<JsonValue> response = () -> JsonValue.JsonNull.NULL;

  public void respondWith(Supplier<JsonValue> next) {
    response = next;
  }

  public List<Called> calls() {
    return calls;
  }

  @Override
  public Set<String> operations() {
    return Set.of("tokenize", "tokens.retrieve");
  }

  @Override
  public byte[] call(
      Caller caller, String operation, List<JsonValue> arguments, MemoryReservation reservation) {
    calls.add(new Called(caller, operation, arguments));
    return new SmallJsonCodec().write(response.get());
  }
}
