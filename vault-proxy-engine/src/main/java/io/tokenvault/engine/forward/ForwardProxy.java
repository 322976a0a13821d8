package io.tokenvault.engine.forward;

import io.tokenvault.domain.failure.FailureCause;
import java.io.IOException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * The operator's HTTP proxy, through which destinations are reached by {@code CONNECT}. Immutable.
 *
 * <pre>{@code
 * ForwardProxy.at("proxy.internal", 3128, false).authenticatedBy(user, password);
 * }</pre>
 */
public final class ForwardProxy {

  private static final int MAX_PORT = 65535;

  private final String host;
  private final int port;
  private final boolean tls;
  private final Optional<String> authorization;

  private ForwardProxy(String host, int port, boolean tls, Optional<String> authorization) {
    this.host = host;
    this.port = port;
    this.tls = tls;
    this.authorization = authorization;
  }

  /**
   * Returns a proxy that requires no authentication.
   *
   * @param host a name or an address, which may be private
   * @param tls whether the connection to the proxy itself uses TLS, with the trust of destinations
   * @throws IllegalArgumentException if the host is blank or the port is out of range
   */
  public static ForwardProxy at(String host, int port, boolean tls) {
    if (host.isBlank() || port < 1 || port > MAX_PORT) {
      throw new IllegalArgumentException("a forward proxy has a host and a port");
    }
    return new ForwardProxy(host.toLowerCase(Locale.ROOT), port, tls, Optional.empty());
  }

  /**
   * Returns this proxy with credentials for Basic authentication, which destinations never receive.
   *
   * @throws IllegalArgumentException if the user name contains a colon
   */
  public ForwardProxy authenticatedBy(String user, String password) {
    Objects.requireNonNull(password, "password");
    if (user.contains(":")) {
      throw new IllegalArgumentException("the user name at a forward proxy has no colon");
    }
    String credentials = user + ":" + password;
    String encoded =
        Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
    return new ForwardProxy(host, port, tls, Optional.of("Basic " + encoded));
  }

  public String host() {
    return host;
  }

  public int port() {
    return port;
  }

  /** Returns whether the connection to the proxy itself uses TLS. */
  public boolean tls() {
    return tls;
  }

  /** Returns the value of {@code Proxy-Authorization}, which contains the password. */
  Optional<String> authorization() {
    return authorization;
  }

  /** Returns host and port, without the credentials. */
  @Override
  public String toString() {
    return "ForwardProxy[" + host + ":" + port + "]";
  }

  /**
   * Thrown if the operator's forward proxy did not connect to a destination. The message is fixed
   * and may be returned to callers.
   */
  static final class ForwardProxyException extends IOException {

    private static final long serialVersionUID = 1L;

    private final FailureCause failure;

    private ForwardProxyException(FailureCause failure, String text) {
      super(text);
      this.failure = failure;
    }

    /** Returns the failure to connect to the proxy. */
    static ForwardProxyException unreachable() {
      return new ForwardProxyException(
          FailureCause.DESTINATION_UNREACHABLE, "The operator's forward proxy is unreachable.");
    }

    /** Returns the failure of the TLS handshake with the proxy. */
    static ForwardProxyException untrusted() {
      return new ForwardProxyException(
          FailureCause.DESTINATION_UNTRUSTED,
          "Could not establish a trusted TLS connection to the operator's forward proxy.");
    }

    /** Returns the refusal of a tunnel by the proxy. */
    static ForwardProxyException refused() {
      return new ForwardProxyException(
          FailureCause.DESTINATION_UNREACHABLE,
          "The operator's forward proxy did not connect to the destination.");
    }

    /** Returns the refusal of the vault's credentials by the proxy (status 407). */
    static ForwardProxyException unauthenticated() {
      return new ForwardProxyException(
          FailureCause.DESTINATION_UNREACHABLE,
          "The operator's forward proxy does not accept this vault's credentials.");
    }

    FailureCause failure() {
      return failure;
    }
  }

  /** Thrown if the name of the operator's forward proxy does not resolve. */
  static final class ForwardProxyUnknownException extends UnknownHostException {
    private static final long serialVersionUID = 1L;
  }
}
