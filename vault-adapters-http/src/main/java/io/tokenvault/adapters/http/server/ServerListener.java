package io.tokenvault.adapters.http.server;

import java.util.Optional;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;

/** The listening socket of a server: HTTP/1.1, over TLS if a certificate is configured. */
final class ServerListener implements AutoCloseable {

  // With Jetty's default backlog, a burst of connections would keep health checks out for a second
  // or more, until their system retries. The operating system may apply a lower limit.
  private static final int CONNECTIONS_TO_ACCEPT = 1024;

  private final HttpSettings settings;
  private final Optional<ServerTls> tls;

  /**
   * Loads the TLS files, if any; does not listen yet.
   *
   * @throws CannotListenException if the TLS files cannot be used
   */
  ServerListener(HttpSettings settings) {
    this.settings = settings;
    this.tls = settings.tls().map(ServerTls::load);
  }

  /**
   * Returns a connector for the configured address.
   *
   * @param http the configuration of its connections
   */
  Connector connector(Server server, HttpConfiguration http) {
    ServerConnector connector =
        tls.map(secure -> secureConnector(server, http, secure))
            .orElseGet(() -> new ServerConnector(server, connections(http)));
    connector.setHost(settings.host());
    connector.setPort(settings.port());
    connector.setAcceptQueueSize(CONNECTIONS_TO_ACCEPT);
    connector.setIdleTimeout(settings.limits().idleTimeout().toMillis());
    return connector;
  }

  private ServerConnector secureConnector(Server server, HttpConfiguration http, ServerTls tls) {
    HttpConfiguration secure = new HttpConfiguration(http);
    // Clients may reach the server under an address or name that its certificate lacks.
    secure.addCustomizer(new SecureRequestCustomizer(false));
    return new ServerConnector(
        server, new SslConnectionFactory(tls.contexts(), "http/1.1"), connections(secure));
  }

  private HttpConnections connections(HttpConfiguration http) {
    return new HttpConnections(http, settings.limits().idleTimeout());
  }

  @Override
  public void close() {
    tls.ifPresent(ServerTls::close);
  }
}
