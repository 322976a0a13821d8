package io.tokenvault.adapters.http.server;

import io.tokenvault.adapters.http.limits.HttpLimits;
import io.tokenvault.ports.api.ServiceHeaders;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * How to listen.
 *
 * @param host an address or name of this machine
 * @param port 0 for any free one
 * @param tls empty for plain HTTP
 * @param allowedOrigins origins of browser pages that may use tokens and the proxy, such as {@code
 *     https://shop.example}; empty for none
 */
public record HttpSettings(
    ServiceHeaders headers,
    String host,
    int port,
    Optional<TlsFiles> tls,
    Set<String> allowedOrigins,
    HttpLimits limits) {

  private static final int ADMIN_REQUESTS = 64;

  public HttpSettings {
    Objects.requireNonNull(headers, "headers");
    Objects.requireNonNull(host, "host");
    Objects.requireNonNull(tls, "tls");
    allowedOrigins = Set.copyOf(allowedOrigins);
    Objects.requireNonNull(limits, "limits");
  }

  /** The same certificate and names; browsers have no business here from elsewhere. */
  public HttpSettings forAdmin(String adminHost, int adminPort) {
    return new HttpSettings(
        headers,
        adminHost,
        adminPort,
        tls,
        Set.of(),
        limits.with(ADMIN_REQUESTS, limits.minBodyRate()));
  }

  /** Plain HTTP on loopback under the default names, without browsers. */
  public static HttpSettings loopback(int port) {
    return new HttpSettings(
        ServiceHeaders.DEFAULT, "127.0.0.1", port, Optional.empty(), Set.of(), HttpLimits.DEFAULT);
  }
}
