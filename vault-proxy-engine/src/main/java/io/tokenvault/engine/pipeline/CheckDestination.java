package io.tokenvault.engine.pipeline;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.proxy.Destination;
import io.tokenvault.domain.proxy.EgressPolicy;
import io.tokenvault.domain.proxy.Proxy;
import io.tokenvault.engine.exchange.Exchange;
import io.tokenvault.engine.exchange.Route;
import io.tokenvault.engine.forward.OutgoingRequest;
import io.tokenvault.ports.api.ServiceHeaders;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Determines the destination of a request, permanently, and checks it against the egress policy.
 * Requests with {@code CONNECT} or {@code TRACE} are refused.
 */
public final class CheckDestination implements Consumer<Exchange> {

  private static final Set<String> REFUSED_METHODS = Set.of("CONNECT", "TRACE");

  /** Largest number of checked destinations that are cached. */
  private static final int MAX_CACHED = 1000;

  private final Consumer<Exchange> urlPermission;
  private final EgressPolicy policy;
  private final ServiceHeaders names;
  private final Map<String, Destination> ofProxies = new ConcurrentHashMap<>();

  /**
   * Creates the step.
   *
   * @param urlPermission refuses a caller that may not name a destination itself
   */
  public CheckDestination(
      Consumer<Exchange> urlPermission, EgressPolicy policy, ServiceHeaders names) {
    this.urlPermission = urlPermission;
    this.policy = policy;
    this.names = names;
  }

  @Override
  public void accept(Exchange exchange) {
    Destination destination = destination(exchange);
    if (REFUSED_METHODS.contains(exchange.call().method())) {
      throw ValidationException.of("error", "Requests with this method are not forwarded.");
    }
    exchange.route().target().requireNoDotSegment();
    exchange.setDestination(destination);
  }

  /** Returns the proxy's destination or, without a proxy, the one that the caller names. */
  private Destination destination(Exchange exchange) {
    Optional<Proxy> proxy = exchange.invoked().proxy();
    return proxy.isPresent()
        ? ofProxy(proxy.get().settings().destinationUrl())
        : checked(named(exchange));
  }

  /**
   * Returns the checked destination of a proxy's URL, from the cache if possible: neither the
   * result of parsing a URL nor the policy ever changes.
   */
  private Destination ofProxy(String url) {
    Destination known = ofProxies.get(url);
    if (known != null) {
      return known;
    }
    Destination destination = checked(url);
    if (ofProxies.size() >= MAX_CACHED) {
      ofProxies.clear();
    }
    ofProxies.put(url, destination);
    return destination;
  }

  private Destination checked(String url) {
    return OutgoingRequest.destination(url, policy, "The destination");
  }

  /** Returns the destination URL that the caller sent, if the caller may choose destinations. */
  private String named(Exchange exchange) {
    Route route = exchange.route();
    if (route.url().isEmpty()) {
      throw refusal(
          "Send the destination in " + names.proxyKey() + " or " + names.proxyUrl() + ".");
    }
    urlPermission.accept(exchange);
    if (route.urls().size() > 1) {
      throw refusal(
          "The request contains different destinations; send one " + names.proxyUrl() + ".");
    }
    return route.url().get();
  }

  private static RefusedException refusal(String detail) {
    return new RefusedException(FailureCause.DESTINATION_INVALID, detail);
  }
}
