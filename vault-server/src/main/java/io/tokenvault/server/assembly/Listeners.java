package io.tokenvault.server.assembly;

import io.tokenvault.adapters.http.exchange.Operations;
import io.tokenvault.adapters.http.server.CannotListenException;
import io.tokenvault.adapters.http.server.HttpSettings;
import io.tokenvault.adapters.http.server.HttpSettings.TlsFiles;
import io.tokenvault.adapters.http.server.UseCases;
import io.tokenvault.adapters.http.server.VaultHttpServer;
import io.tokenvault.adapters.http.server.VaultHttpServer.ListenerRole;
import io.tokenvault.server.config.Configuration.Admin;
import io.tokenvault.server.config.Configuration.Web;
import io.tokenvault.server.config.ConfigurationException;
import io.tokenvault.server.config.Setting;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The listeners of a running server: the API, and the admin listener if it is enabled. */
final class Listeners implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Listeners.class);

  private final Web web;
  private final VaultHttpServer main;
  private final Optional<VaultHttpServer> admin;

  private Listeners(Web web, VaultHttpServer main, Optional<VaultHttpServer> admin) {
    this.web = web;
    this.main = main;
    this.admin = admin;
  }

  /**
   * Starts both listeners.
   *
   * <p>The admin listener is omitted if it is disabled. It is also omitted, with a warning, if its
   * default port is in use: only a port that the operator chose is mandatory.
   *
   * @throws CannotListenException if the API port or the certificate cannot be used
   * @throws ConfigurationException if the admin port that the operator chose cannot be used
   */
  static Listeners start(UseCases useCases, Web web, Operations operations) {
    VaultHttpServer main =
        VaultHttpServer.start(ListenerRole.MAIN, useCases, web.http(), operations);
    try {
      return new Listeners(
          web,
          main,
          web.admin().flatMap(admin -> startAdmin(useCases, web.http(), admin, operations)));
    } catch (ConfigurationException refused) {
      main.close();
      throw refused;
    }
  }

  /**
   * Checks whether both listeners could start, without starting them.
   *
   * @throws ConfigurationException naming every setting that cannot be used
   */
  static void check(Web web) {
    List<String> problems = new ArrayList<>();
    web.http().tls().flatMap(Listeners::problem).ifPresent(problems::add);
    problem(Setting.PORT, web.http().host(), web.http().port()).ifPresent(problems::add);
    web.admin()
        .filter(Admin::required)
        .flatMap(admin -> problem(Setting.ADMIN_PORT, admin.host(), admin.port()))
        .ifPresent(problems::add);
    if (!problems.isEmpty()) {
      throw new ConfigurationException(problems);
    }
  }

  /** Returns the problem of the certificate or its private key; empty if both can be used. */
  private static Optional<String> problem(TlsFiles tls) {
    try {
      tls.check();
      return Optional.empty();
    } catch (CannotListenException unusable) {
      return Optional.of(
          Setting.TLS_CERT_FILE.variable()
              + " and "
              + Setting.TLS_KEY_FILE.variable()
              + ": "
              + unusable.getMessage());
    }
  }

  /** Returns the problem of a port, by binding it briefly; empty if it is free. */
  private static Optional<String> problem(Setting setting, String host, int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(host, port));
      return Optional.empty();
    } catch (IOException taken) {
      return Optional.of(unusable(setting, new CannotListenException(host, port).getMessage()));
    }
  }

  private static String unusable(Setting setting, String why) {
    return setting.variable() + " cannot be used: " + why;
  }

  /** Starts the admin listener, or warns if it is optional and its port is in use. */
  private static Optional<VaultHttpServer> startAdmin(
      UseCases useCases, HttpSettings main, Admin admin, Operations operations) {
    try {
      HttpSettings settings = main.forAdmin(admin.host(), admin.port());
      return Optional.of(VaultHttpServer.start(ListenerRole.ADMIN, useCases, settings, operations));
    } catch (CannotListenException taken) {
      if (admin.required()) {
        throw new ConfigurationException(unusable(Setting.ADMIN_PORT, taken.getMessage()));
      }
      LOG.warn(
          "Admin listener disabled: {} Set {} to another port, or to off",
          taken.getMessage(),
          Setting.ADMIN_PORT.variable());
      return Optional.empty();
    }
  }

  /** Returns the base URL of the API, with the port that was bound. */
  String url() {
    return url(web.http().host(), main);
  }

  /** Returns the base URL of the admin listener; empty if it does not run. */
  Optional<String> adminUrl() {
    return admin.flatMap(running -> web.admin().map(settings -> url(settings.host(), running)));
  }

  /** Returns a base URL; an IPv6 address is put into brackets (RFC 3986, section 3.2.2). */
  private String url(String address, VaultHttpServer running) {
    String host = address.contains(":") ? "[" + address + "]" : address;
    return (web.http().tls().isPresent() ? "https://" : "http://") + host + ":" + running.port();
  }

  /**
   * Reports both listeners as not ready while they continue to serve.
   *
   * @see VaultHttpServer#startDraining()
   */
  void startDraining() {
    main.startDraining();
    admin.ifPresent(VaultHttpServer::startDraining);
  }

  /**
   * Finishes the requests in flight and stops. The admin listener stops last, so that metrics stay
   * available until the last request has ended.
   */
  @Override
  public void close() {
    main.close();
    admin.ifPresent(VaultHttpServer::close);
  }
}
