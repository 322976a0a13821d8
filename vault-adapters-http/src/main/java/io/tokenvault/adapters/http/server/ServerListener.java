package io.tokenvault.adapters.http.server;

import io.tokenvault.adapters.http.server.HttpSettings.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The listening socket of a server: HTTP/1.1, over TLS if a certificate is configured. */
final class ServerListener implements AutoCloseable {

  // With Jetty's default backlog, a burst of connections would keep health checks out for a second
  // or more, until their system retries. The operating system may apply a lower limit.
  private static final int CONNECTIONS_TO_ACCEPT = 1024;

  private static final Logger LOG = LoggerFactory.getLogger(ServerListener.class);

  private final HttpSettings settings;
  private final Optional<ReloadedCertificate> tls;

  /**
   * Loads the TLS files, if any; does not listen yet.
   *
   * @throws CannotListenException if the TLS files cannot be used
   */
  ServerListener(HttpSettings settings) {
    this.settings = settings;
    this.tls = settings.tls().map(ReloadedCertificate::load);
  }

  /**
   * Returns a connector for the configured address, and starts to check the TLS files for changes.
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

  private ServerConnector secureConnector(
      Server server, HttpConfiguration http, ReloadedCertificate tls) {
    HttpConfiguration secure = new HttpConfiguration(http);
    // Clients may reach the server under an address or name that its certificate lacks.
    secure.addCustomizer(new SecureRequestCustomizer(false));
    tls.startWatch();
    return new ServerConnector(
        server, new SslConnectionFactory(tls.contexts(), "http/1.1"), connections(secure));
  }

  private HttpConnections connections(HttpConfiguration http) {
    return new HttpConnections(http, settings.limits().idleTimeout());
  }

  /**
   * Checks that the files can be used, without keeping them.
   *
   * @throws CannotListenException if the files cannot be used
   */
  static void check(TlsFiles files) {
    try {
      PemKeyStore.read(files);
    } catch (IOException unusable) {
      throw cannotBeUsed(unusable);
    }
  }

  /** Returns a failure for the operator that names the cause, but no path and no content. */
  private static CannotListenException cannotBeUsed(Exception unusable) {
    String cause =
        unusable instanceof PemKeyStore.UnusableException
            ? unusable.getMessage()
            : unusable instanceof IOException
                ? "a file cannot be read"
                : unusable.getClass().getName();
    return new CannotListenException("The TLS certificate and key cannot be used: " + cause + ".");
  }

  @Override
  public void close() {
    tls.ifPresent(ReloadedCertificate::close);
  }

  /** The server's TLS certificate, which is reloaded when its files change. */
  private static final class ReloadedCertificate implements AutoCloseable {

    private final TlsFiles files;
    private final SslContextFactory.Server contexts = new SslContextFactory.Server();
    private final ScheduledExecutorService watch =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "inbound-tls");
              thread.setDaemon(true);
              return thread;
            });
    private List<FileTime> loaded;
    private List<FileTime> rejected;

    private ReloadedCertificate(TlsFiles files) {
      this.files = files;
      this.contexts.setIncludeProtocols("TLSv1.2", "TLSv1.3");
    }

    /**
     * Loads the certificate.
     *
     * @throws CannotListenException if the files cannot be used
     */
    static ReloadedCertificate load(TlsFiles files) {
      ReloadedCertificate tls = new ReloadedCertificate(files);
      try {
        tls.loaded = tls.times();
        tls.rejected = tls.loaded;
        PemKeyStore.read(files).accept(tls.contexts);
      } catch (IOException unusable) {
        throw cannotBeUsed(unusable);
      }
      return tls;
    }

    private void startWatch() {
      long period = files.checkInterval().toMillis();
      var unused =
          watch.scheduleWithFixedDelay(
              this::reloadIfChanged, period, period, TimeUnit.MILLISECONDS);
    }

    /** Returns the modification times of both files; empty if one cannot be accessed. */
    private List<FileTime> times() {
      try {
        return List.of(
            Files.getLastModifiedTime(files.certificate()),
            Files.getLastModifiedTime(files.privateKey()));
      } catch (IOException missing) {
        return List.of();
      }
    }

    /**
     * Loads the files if they were modified since they were loaded. If they cannot be used, the
     * failure is logged once, the previous certificate stays in use, and each further check tries
     * again, since a correction of permissions, for example, leaves the times unchanged.
     */
    private void reloadIfChanged() {
      List<FileTime> now = times();
      if (now.equals(loaded)) {
        return;
      }
      try {
        // Read before the reload, since a failed reload would leave no certificate in use.
        Consumer<SslContextFactory> certificate = PemKeyStore.read(files);
        contexts.reload(certificate);
        loaded = now;
        LOG.info("Loaded changed TLS certificate");
      } catch (Exception unusable) {
        if (!now.equals(rejected)) {
          LOG.warn("{} The previous ones stay in use.", cannotBeUsed(unusable).getMessage());
        }
        rejected = now;
      }
    }

    SslContextFactory.Server contexts() {
      return contexts;
    }

    @Override
    public void close() {
      watch.shutdownNow();
    }
  }
}
