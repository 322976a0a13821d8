package io.tokenvault.ports.api;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.ports.usecase.authorization.Caller;

/** Tries a proxy out on a sample. All threads may share one instance. */
public interface RehearseProxy {

  /**
   * Does what an invocation does, but sends nothing, and shows masks in place of the data of
   * tokens. Recorded as the caller's.
   *
   * @param sample the sample request, and what stands for everything that is not there
   * @return what would be sent and answered, and how the transforms ended
   * @throws io.tokenvault.domain.failure.VaultException if there is nothing to try out; that a
   *     transform fails is a result
   */
  JsonValue rehearse(Caller caller, ProxyId id, JsonValue sample);
}
