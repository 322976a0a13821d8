package io.tokenvault.engine;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.proxy.Destination;
import io.tokenvault.domain.proxy.EgressPolicy;
import io.tokenvault.domain.proxy.InvalidDestinationException;
import io.tokenvault.ports.api.ServiceHeaders;
import java.util.Set;

/** Decides where the request goes, for good, and whether it may. */
final class CheckDestination implements Step {

  private static final Set<String> REFUSED_METHODS = Set.of("CONNECT", "TRACE");

  private final EgressPolicy policy;
  private final ServiceHeaders names;

  CheckDestination(EgressPolicy policy, ServiceHeaders names) {
    this.policy = policy;
    this.names = names;
  }

  @Override
  public Exchange apply(Exchange exchange) {
    Destination destination = parse(url(exchange));
    policy.refusal(destination).ifPresent(why -> refuse("The destination " + why + "."));
    if (REFUSED_METHODS.contains(exchange.call().method())) {
      throw ValidationException.of("error", "Requests with this method are not forwarded.");
    }
    exchange.target().requireNoDotSegment();
    return exchange.with(destination);
  }

  private String url(Exchange exchange) {
    return exchange
        .admission()
        .proxy()
        .map(proxy -> proxy.settings().destinationUrl())
        .orElseGet(() -> named(exchange.route()));
  }

  private String named(Route route) {
    if (route.hasSeveralUrls()) {
      throw refusal("The request names different destinations; send one " + names.proxyUrl() + ".");
    }
    return route
        .url()
        .orElseThrow(
            () ->
                refusal(
                    "Name the destination with "
                        + names.proxyKey()
                        + " or "
                        + names.proxyUrl()
                        + "."));
  }

  private static Destination parse(String url) {
    try {
      return Destination.parse(url);
    } catch (InvalidDestinationException invalid) {
      throw refusal("The destination " + invalid.getMessage() + ".");
    }
  }

  private static void refuse(String detail) {
    throw refusal(detail);
  }

  private static RefusedException refusal(String detail) {
    return new RefusedException(FailureCause.DESTINATION_INVALID, detail);
  }
}
