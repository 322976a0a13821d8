package io.tokenvault.engine;

import io.tokenvault.ports.api.ServiceClient;
import io.tokenvault.ports.spi.JsonCodec;
import io.tokenvault.ports.usecase.ProxyInvocations;

/** What all that do what transforms ask for have in common. */
record TransformHosts(
    ProxyInvocations invocations, ServiceClient client, JsonCodec json, Fetches fetches) {

  /** For one run; to be closed when it is over. */
  TransformHost open(Exchange exchange) {
    return new TransformHost(exchange, this);
  }
}
