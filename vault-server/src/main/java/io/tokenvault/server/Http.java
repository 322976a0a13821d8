package io.tokenvault.server;

import io.tokenvault.server.config.Setting;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

/**
 * The HTTP listeners of a vault: the API and, if it is turned on, the admin listener.
 *
 * <pre>{@code
 * Http.on("0.0.0.0", 8443).tls(certificate, key).admin("127.0.0.1", 8090)
 * }</pre>
 */
public final class Http {

  static final Set<Setting> SETTINGS =
      Set.of(
          Setting.HOST,
          Setting.PORT,
          Setting.TLS_CERT_FILE,
          Setting.TLS_KEY_FILE,
          Setting.PLAIN_HTTP,
          Setting.ADMIN_HOST,
          Setting.ADMIN_PORT);

  private final Map<Setting, String> settings;

  private Http(Map<Setting, String> settings) {
    this.settings = Map.copyOf(settings);
  }

  /**
   * Returns a listener of the API without TLS, for which the host has to be a loopback address; see
   * {@link #tls} and {@link #plain}.
   *
   * @param host an address or name of this machine
   * @param port the port; 0 selects a free one
   */
  public static Http on(String host, int port) {
    return new Http(Map.of(Setting.HOST, host, Setting.PORT, Integer.toString(port)));
  }

  /**
   * Returns listeners with TLS. Changed files are loaded while the vault runs.
   *
   * @param certificate a PEM file with the certificate chain
   * @param key a PEM file with its private key
   */
  public Http tls(Path certificate, Path key) {
    return with(
        Map.of(
            Setting.TLS_CERT_FILE, certificate.toString(), Setting.TLS_KEY_FILE, key.toString()));
  }

  /** Returns listeners without TLS on any address, behind a proxy that terminates TLS. */
  public Http plain() {
    return with(Map.of(Setting.PLAIN_HTTP, "true"));
  }

  /**
   * Returns listeners with an admin listener, which serves management, metrics and the console.
   *
   * @param host an address or name of this machine
   * @param port the port; 0 selects a free one
   */
  public Http admin(String host, int port) {
    return with(Map.of(Setting.ADMIN_HOST, host, Setting.ADMIN_PORT, Integer.toString(port)));
  }

  private Http with(Map<Setting, String> more) {
    Map<Setting, String> all = new EnumMap<>(settings);
    all.putAll(more);
    return new Http(all);
  }

  Map<Setting, String> settings() {
    return settings;
  }
}
