package io.tokenvault.server.config;

import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.server.config.Configuration.Credentials;
import io.tokenvault.server.config.Configuration.HttpProxy;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/** Reads the URL of the operator's own proxy. It may contain a password and is never repeated. */
final class HttpProxyReader {

  private static final int MAX_PORT = 65_535;
  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;
  private static final String TLS_SCHEME = "https";

  private final SettingValues values;

  HttpProxyReader(SettingValues values) {
    this.values = values;
  }

  /** Returns the proxy; empty if none is configured or the URL is not valid. */
  Optional<HttpProxy> read() {
    Optional<SensitiveValue> url = values.secret(Setting.EGRESS_HTTP_PROXY);
    Optional<HttpProxy> proxy = url.flatMap(HttpProxyReader::parse);
    if (url.isPresent() && proxy.isEmpty()) {
      values.problem(
          Setting.EGRESS_HTTP_PROXY,
          "must be http:// or https://, user:password@ if needed, host and port, and nothing else");
    }
    return proxy;
  }

  private static Optional<HttpProxy> parse(SensitiveValue url) {
    try {
      URI uri = new URI(new String(url.open(), StandardCharsets.UTF_8));
      return isPlain(uri) ? of(uri) : Optional.empty();
    } catch (URISyntaxException invalid) {
      return Optional.empty();
    }
  }

  /** Returns whether a URL has nothing besides scheme, credentials, host and port. */
  private static boolean isPlain(URI uri) {
    return uri.getScheme() != null
        && uri.getHost() != null
        && uri.getPort() != 0
        && uri.getPort() <= MAX_PORT
        && (uri.getRawPath().isEmpty() || uri.getRawPath().equals("/"))
        && uri.getRawQuery() == null
        && uri.getRawFragment() == null;
  }

  private static Optional<HttpProxy> of(URI uri) {
    String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
    boolean tls = scheme.equals(TLS_SCHEME);
    Optional<Credentials> credentials = credentials(uri.getRawUserInfo());
    if (!(tls || scheme.equals("http"))
        || (uri.getRawUserInfo() != null && credentials.isEmpty())) {
      return Optional.empty();
    }
    int usualPort = tls ? HTTPS_PORT : HTTP_PORT;
    return Optional.of(
        new HttpProxy(
            tls,
            uri.getHost().replaceAll("[\\[\\]]", ""),
            uri.getPort() < 0 ? usualPort : uri.getPort(),
            credentials));
  }

  /**
   * Returns the credentials; empty if there are none or the user name contains a colon, which Basic
   * authentication cannot represent (RFC 7617, section 2).
   */
  private static Optional<Credentials> credentials(String userInfo) {
    int colon = userInfo == null ? -1 : userInfo.indexOf(':');
    if (colon < 1) {
      return Optional.empty();
    }
    String user = decoded(userInfo.substring(0, colon));
    String password = decoded(userInfo.substring(colon + 1));
    return user.contains(":")
        ? Optional.empty()
        : Optional.of(new Credentials(user, SensitiveValue.ofText(password)));
  }

  /** Decodes percent-encoding (RFC 3986). Unlike in a form, a plus sign stands for itself. */
  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }
}
