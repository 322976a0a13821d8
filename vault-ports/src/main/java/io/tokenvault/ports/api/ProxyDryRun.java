package io.tokenvault.ports.api;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.ports.usecase.authorization.Caller;

/** Performs dry runs of a proxy with a sample request. Implementations are thread-safe. */
public interface ProxyDryRun {

  /**
   * Processes a sample as an invocation would, without sending anything and with masks instead of
   * token data. The dry run is recorded in the audit log with the caller as its actor.
   *
   * @param sample the sample request, and stand-ins for everything that a dry run lacks
   * @return the request that would be sent, the response that would be returned, and the results of
   *     the transforms
   * @throws io.tokenvault.domain.failure.VaultException if no dry run is possible; a failed
   *     transform is a result, not an exception
   */
  JsonValue dryRun(Caller caller, ProxyId id, JsonValue sample);
}
