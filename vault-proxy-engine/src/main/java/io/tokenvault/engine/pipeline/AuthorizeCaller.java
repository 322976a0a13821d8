package io.tokenvault.engine.pipeline;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.engine.exchange.Exchange;
import io.tokenvault.engine.exchange.Route;
import io.tokenvault.ports.usecase.proxy.Admission;
import io.tokenvault.ports.usecase.proxy.ProxyInvocations;
import java.util.Optional;

/** Lets in who may come in, on the headers alone. */
public final class AuthorizeCaller implements Step {

  private final ProxyInvocations invocations;

  public AuthorizeCaller(ProxyInvocations invocations) {
    this.invocations = invocations;
  }

  @Override
  public String name() {
    return "AuthorizeCaller";
  }

  @Override
  public void apply(Exchange exchange) {
    Route route = exchange.route();
    if (route.hasSeveralApiKeys()) {
      throw new RefusedException(
          FailureCause.MISSING_OR_INVALID_KEY, "Send one API key, in its header, once.");
    }
    if (route.hasSeveralProxyKeys()) {
      throw severalProxyKeys(route);
    }
    Admission admission =
        exchange.isRetry()
            ? invocations.admitAnew(route.apiKey(), route.proxyKey())
            : invocations.admit(route.apiKey(), route.proxyKey());
    exchange.call().authenticated().accept(admission.subject());
    // A request that may be sent again is found by the keys that its tenant has now.
    exchange.admit(
        admission.isProvisional() && !route.idempotencyKeys().isEmpty()
            ? invocations.admitAnew(route.apiKey(), route.proxyKey())
            : admission);
  }

  /** A bad API key is told before a bad destination, and a good one is counted. */
  private RefusedException severalProxyKeys(Route route) {
    if (route.apiKey().isPresent()
        && invocations.admit(route.apiKey(), Optional.empty()).isProvisional()) {
      invocations.admitAnew(route.apiKey(), Optional.empty());
    }
    return new RefusedException(
        FailureCause.DESTINATION_INVALID, "The request names different proxy keys; send one.");
  }
}
