package io.tokenvault.adapters.http.server;

import io.tokenvault.adapters.http.exchange.HttpLimits;
import io.tokenvault.ports.api.ServiceHeaders;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The settings of a listener.
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
   * The PEM files of a listener's certificate and key.
   *
   * <p>Changed files apply to new connections without a restart. If the changed files cannot be
   * used, the failure is logged and the previous ones stay in use.
   *
   * @param certificate the server's certificate, followed by the intermediate certificates
   * @param privateKey PKCS #8, or PKCS #1 for RSA; not encrypted
   * @param checkInterval how often the files are checked for changes
   */
  public record TlsFiles(Path certificate, Path privateKey, Duration checkInterval) {
    public TlsFiles {
      Objects.requireNonNull(certificate, "certificate");
      Objects.requireNonNull(privateKey, "privateKey");
      Objects.requireNonNull(checkInterval, "checkInterval");
    }

    /**
     * Checks that the files can be used, without listening.
     *
     * @throws CannotListenException if they cannot be used
     */
    public void check() {
      ServerListener.check(this);
    }
  }
}
