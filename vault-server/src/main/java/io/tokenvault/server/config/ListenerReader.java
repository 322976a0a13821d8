package io.tokenvault.server.config;

import io.tokenvault.adapters.http.server.HttpSettings.TlsFiles;
import io.tokenvault.server.config.Configuration.Admin;
import io.tokenvault.server.config.Configuration.Rates;
import io.tokenvault.server.limits.NodeRateLimits.RateLimit;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/** Reads the addresses of both listeners, and the rate limits of their callers. */
final class ListenerReader {

  private static final int ADMIN_PORT = 8090;
  private static final String OFF = "off";

  /** Ratio of the rate per minute to the default burst: the requests of ten seconds. */
  private static final int SHARE_OF_BURST = 6;

  private final SettingValues values;

  ListenerReader(SettingValues values) {
    this.values = values;
  }

  /**
   * Returns an address that API keys may be sent to.
   *
   * <p>Without TLS only a loopback address is accepted, unless the operator states that a proxy
   * terminates TLS.
   */
  String host(Setting setting, Optional<TlsFiles> tls) {
    String host = values.text(setting).orElseThrow();
    if (tls.isEmpty() && !values.flag(Setting.PLAIN_HTTP) && !isLoopback(setting, host)) {
      values.problem(
          setting,
          "is not a loopback address, so API keys would be sent in the clear: set "
              + Setting.TLS_CERT_FILE.variable()
              + " and "
              + Setting.TLS_KEY_FILE.variable()
              + ", or "
              + Setting.PLAIN_HTTP.variable()
              + "=true behind a proxy that terminates TLS");
    }
    return host;
  }

  private boolean isLoopback(Setting setting, String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException unknown) {
      values.problem(setting, "is not an address or name of this machine");
      return true;
    }
  }

  /**
   * Returns the address of the admin listener; empty if it is switched off.
   *
   * <p>Unless the operator chose a port, the listener is optional. It uses any free port if the API
   * does, so that two servers with free ports do not conflict.
   */
  Optional<Admin> admin(int mainPort, Optional<TlsFiles> tls) {
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
    int port = values.count(Setting.ADMIN_PORT);
    if (port == mainPort && port != 0) {
      values.problem(
          Setting.ADMIN_PORT, "must be another port than " + Setting.PORT.variable() + ", or off");
    }
    return port;
  }

  /** Returns the rate limits of applications and of callers without a key. */
  Rates rates() {
    return new Rates(
        rate(Setting.APPLICATION_RATE_PER_MINUTE, Setting.APPLICATION_RATE_BURST),
        rate(Setting.ANONYMOUS_RATE_PER_MINUTE, Setting.ANONYMOUS_RATE_BURST));
  }

  /** Returns a rate limit; empty if no rate is configured. A burst alone is a problem. */
  private Optional<RateLimit> rate(Setting perMinute, Setting burst) {
    long rate = values.number(perMinute, 0);
    long atOnce = Math.min(burst.max, Math.max(burst.min, rate / SHARE_OF_BURST));
    long chosen = values.number(burst, atOnce);
    if (values.text(perMinute).isEmpty() && values.text(burst).isPresent()) {
      values.problem(burst, "requires " + perMinute.variable());
    }
    return rate == 0 ? Optional.empty() : Optional.of(new RateLimit((int) rate, (int) chosen));
  }
}
