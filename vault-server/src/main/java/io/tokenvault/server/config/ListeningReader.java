package io.tokenvault.server.config;

import io.tokenvault.server.config.Configuration.Admin;
import io.tokenvault.server.config.Configuration.Tls;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/** Reads the addresses of both listeners. */
final class ListeningReader {

  private static final int MAX_PORT = 65_535;
  private static final int ADMIN_PORT = 8090;
  private static final String OFF = "off";

  private final SettingValues values;

  ListeningReader(SettingValues values) {
    this.values = values;
  }

  int port() {
    return (int) values.number(Setting.PORT, 0, MAX_PORT, 0);
  }

  /**
   * Returns an address that API keys may be sent to.
   *
   * <p>Without TLS only a loopback address is accepted, unless the operator states that a proxy
   * terminates TLS.
   */
  String host(Setting setting, Optional<Tls> tls) {
    String host = values.text(setting).orElseThrow();
    if (tls.isEmpty() && !values.flag(Setting.PLAIN_HTTP) && !isLoopback(setting, host)) {
      values.problem(
          setting,
          "is not a loopback address, and keys would travel in the clear: set "
              + Setting.TLS_CERT_FILE.variable()
              + " and "
              + Setting.TLS_KEY_FILE.variable()
              + ", or "
              + Setting.PLAIN_HTTP.variable()
              + "=true behind a proxy that does TLS");
    }
    return host;
  }

  private boolean isLoopback(Setting setting, String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException unknown) {
      values.problem(setting, "is neither an address nor a name of this machine");
      return true;
    }
  }

  /**
   * Returns the address of the admin listener; empty if it is switched off.
   *
   * <p>Unless the operator chose a port, the listener is optional. It uses any free port if the API
   * does, so that two servers with free ports do not conflict.
   */
  Optional<Admin> admin(int mainPort, Optional<Tls> tls) {
    Optional<String> port = values.text(Setting.ADMIN_PORT);
    if (port.isPresent() && port.get().equals(OFF)) {
      return Optional.empty();
    }
    String host = host(Setting.ADMIN_HOST, tls);
    return Optional.of(
        port.isEmpty()
            ? new Admin(host, mainPort == 0 ? 0 : ADMIN_PORT, false)
            : new Admin(host, chosenPort(mainPort), true));
  }

  /** Returns the admin port that the operator chose, which must differ from the port of the API. */
  private int chosenPort(int mainPort) {
    int port = (int) values.number(Setting.ADMIN_PORT, 0, MAX_PORT, 0);
    if (port == mainPort && port != 0) {
      values.problem(
          Setting.ADMIN_PORT, "must be another port than " + Setting.PORT.variable() + ", or off");
    }
    return port;
  }
}
