package io.tokenvault.engine;

import io.tokenvault.ports.api.ServiceClient;
import io.tokenvault.ports.usecase.ProxyInvocations;

/** What surrounds the transforms of invocations. */
record InvocationHosts(
    ProxyInvocations invocations, ServiceClient client, ClientJson json, Fetches fetches)
    implements TransformHosts {

  @Override
  public boolean hasClient(Exchange exchange) {
    return exchange.admission().proxy().orElseThrow().settings().applicationId().isPresent();
  }

  @Override
  public boolean isDryRun() {
    return false;
  }

  @Override
  public TransformHost open(Exchange exchange) {
    return new TransformHost(exchange, this);
  }
}
