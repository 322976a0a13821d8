package io.tokenvault.ports.api;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.usecase.authorization.Caller;
import java.util.List;
import java.util.Set;

/**
 * The service's JSON interface without HTTP, for what runs inside and acts as an application. All
 * threads may share one instance.
 */
public interface ServiceClient {

  /** The names of what can be called, such as {@code tokens.create}. */
  Set<String> operations();

  /**
   * Does what the request of the same name does, under the caller's rights and recorded as the
   * caller's.
   *
   * @param arguments as the client's method takes them, with the property names of the interface
   * @param room for what is read and for the result; the arguments are in memory already
   * @return the body of the answer; null for an empty one
   * @throws io.tokenvault.domain.failure.VaultException for every failure that the caller is to be
   *     told of
   */
  JsonValue call(
      Caller caller, String operation, List<JsonValue> arguments, MemoryReservation room);
}
