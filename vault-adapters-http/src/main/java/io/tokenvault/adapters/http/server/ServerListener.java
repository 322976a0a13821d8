package io.tokenvault.adapters.http.server;

import java.util.Optional;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;

/** Where connections come in: HTTP/1.1, with TLS if there is a certificate. */
final class ServerListener implements AutoCloseable {

  // With the default of 50 a burst of connections keeps health checks out: what does not fit in is
  // tried again by its own system after a second at the earliest. The system may allow less.
  private static final int CONNECTIONS_TO_ACCEPT = 1024;

  private final HttpSettings settings;
  private final Optional<ServerTls> tls;

  ServerListener(HttpSettings settings) {
    this.settings = settings;
    this.tls = settings.tls().map(ServerTls::load);
  }

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
    // Clients may reach it by an address or a name that is not in the certificate's.
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
