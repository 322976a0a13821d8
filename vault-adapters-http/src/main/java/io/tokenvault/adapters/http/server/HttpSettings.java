package io.tokenvault.adapters.http.server;

import io.tokenvault.adapters.http.exchange.HttpLimits;
import io.tokenvault.ports.api.ServiceHeaders;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The settings of a listener. For tests and local use, {@link #loopback} gives plain HTTP with
 * defaults.
 *
 * @param headers names the service's own headers
 * @param host an address or name of this machine
 * @param port the port to listen on; 0 selects a free one
 * @param tls the certificate and key; empty for plain HTTP
 * @param allowedOrigins the origins of browser pages that may use tokens and the proxy, such as
 *     {@code https://shop.example}; empty for none
 * @param limits protect the listener
 */
public record HttpSettings(
    ServiceHeaders headers,
    String host,
    int port,
    Optional<TlsFiles> tls,
    Set<String> allowedOrigins,
    HttpLimits limits) {

  /** The number of requests that the admin listener processes concurrently. */
  private static final int ADMIN_REQUESTS = 64;

  public HttpSettings {
    Objects.requireNonNull(headers, "headers");
    Objects.requireNonNull(host, "host");
    Objects.requireNonNull(tls, "tls");
    allowedOrigins = Set.copyOf(allowedOrigins);
    Objects.requireNonNull(limits, "limits");
  }

  /**
   * Returns the settings of the admin listener: the same certificate and header names, another
   * address, fewer concurrent requests and no allowed origins.
   */
  public HttpSettings forAdmin(String adminHost, int adminPort) {
    return new HttpSettings(
        headers,
        adminHost,
        adminPort,
        tls,
        Set.of(),
        limits.with(ADMIN_REQUESTS, limits.minBodyRate()));
  }

  /**
   * Returns settings for plain HTTP on 127.0.0.1 with default header names and limits, and without
   * allowed origins.
   *
   * @param port the port to listen on; 0 selects a free one
   */
  public static HttpSettings loopback(int port) {
    return new HttpSettings(
        ServiceHeaders.DEFAULT, "127.0.0.1", port, Optional.empty(), Set.of(), HttpLimits.DEFAULT);
  }
}
