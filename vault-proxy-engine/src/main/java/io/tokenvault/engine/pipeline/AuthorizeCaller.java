package io.tokenvault.engine.pipeline;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.engine.exchange.Exchange;
import io.tokenvault.engine.exchange.Route;
import io.tokenvault.ports.usecase.proxy.Admission;
import io.tokenvault.ports.usecase.proxy.ProxyInvocations;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Authenticates the caller and authorizes the invocation, from the headers and query alone. The
 * body is not read for a caller that is refused.
 */
public final class AuthorizeCaller implements Consumer<Exchange> {

  private final ProxyInvocations invocations;

  public AuthorizeCaller(ProxyInvocations invocations) {
    this.invocations = invocations;
  }

  @Override
  public void accept(Exchange exchange) {
    Route route = exchange.route();
    if (route.apiKeys().size() > 1) {
      throw new RefusedException(
          FailureCause.MISSING_OR_INVALID_KEY, "Send one API key, in one header.");
    }
    if (route.proxyKeys().size() > 1) {
      throw multipleProxyKeys(route);
    }
    Admission admission =
        exchange.isRetry()
            ? invocations.readmit(route.apiKey(), route.proxyKey())
            : invocations.admit(route.apiKey(), route.proxyKey());
    exchange.call().authenticated().accept(admission.subject());
    // Requests with an idempotency key are looked up by keys of the tenant, which must be current.
    exchange.admit(
        admission.isProvisional() && !route.idempotencyKeys().isEmpty()
            ? invocations.readmit(route.apiKey(), route.proxyKey())
            : admission);
  }

  /**
   * Returns the refusal of several proxy keys, after checking the API key: an invalid API key is
   * reported before an invalid destination, and a valid one is counted as used.
   */
  private RefusedException multipleProxyKeys(Route route) {
    if (route.apiKey().isPresent()
        && invocations.admit(route.apiKey(), Optional.empty()).isProvisional()) {
      invocations.readmit(route.apiKey(), Optional.empty());
    }
    return new RefusedException(
        FailureCause.DESTINATION_INVALID, "The request contains different proxy keys; send one.");
  }
}
