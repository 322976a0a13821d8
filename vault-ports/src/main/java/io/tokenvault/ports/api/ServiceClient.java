package io.tokenvault.ports.api;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.usecase.authorization.Caller;
import java.util.List;
import java.util.Set;

/**
 * Calls the service's JSON interface without HTTP, for code inside the process that acts as an
 * application. Implementations are thread-safe.
 */
public interface ServiceClient {

  /** Returns the names of the available operations, such as {@code tokens.create}. */
  Set<String> operations();

  /**
   * Performs the operation of this name with the caller's permissions; audit entries name the
   * caller as their actor.
   *
   * @param arguments in the order of the client's method, with the property names of the interface
   * @param reservation the memory reservation for loaded data and the result; the arguments are in
   *     memory already
   * @return the response body as JSON in UTF-8; the literal {@code null} if it is empty
   * @throws io.tokenvault.domain.failure.VaultException for every failure that is reported to the
   *     caller
   */
  byte[] call(
      Caller caller, String operation, List<JsonValue> arguments, MemoryReservation reservation);
}
