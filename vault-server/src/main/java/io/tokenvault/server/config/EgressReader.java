package io.tokenvault.server.config;

import io.tokenvault.domain.proxy.EgressPolicy;
import io.tokenvault.domain.proxy.HostPattern;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.engine.ProxyEngine;
import io.tokenvault.engine.forward.ClientCertificates;
import io.tokenvault.engine.forward.ForwardProxy;
import io.tokenvault.ports.api.ServiceHeaders;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads the egress policy, the way to destinations (overrides, authorities, client certificates and
 * an HTTP proxy), and the limits of proxy invocations.
 */
final class EgressReader {

  private static final Pattern HOST_NAME =
      Pattern.compile("[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?");
  private static final Pattern ADDRESS =
      Pattern.compile("[0-9]{1,3}(?:\\.[0-9]{1,3}){3}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");

  private static final int MAX_PORT = 65_535;
  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;
  private static final String TLS_SCHEME = "https";

  /** Aliases of private keys: a name, or the id of a tenant, a slash and a name. */
  private static final Pattern ALIAS =
      Pattern.compile(
          "(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/)?[^/]{1,200}",
          Pattern.CASE_INSENSITIVE);

  private final SettingValues values;
  private final ClientCertificates certificates;

  EgressReader(SettingValues values) {
    this.values = values;
    this.certificates = clientCertificates();
  }

  /** Returns the egress policy, which includes the names of the client certificates. */
  EgressPolicy policy() {
    return new EgressPolicy(
        allowedHosts(),
        hosts(Setting.EGRESS_PRIVATE_HOSTS, EgressReader::isHostName),
        certificates.names());
  }

  /** Returns the settings of the engine. Bodies may use a quarter of the heap by default. */
  ProxyEngine.Settings proxy(ServiceHeaders headers) {
    int maxBody = values.count(Setting.PROXY_HELD_BODY_BYTES);
    long budget =
        values.number(
            Setting.PROXY_HELD_BODIES_BYTES, Math.max(maxBody, SettingValues.QUARTER_OF_HEAP));
    if (budget < maxBody) {
      values.problem(
          Setting.PROXY_HELD_BODIES_BYTES,
          "must be at least " + Setting.PROXY_HELD_BODY_BYTES.variable());
    }
    return new ProxyEngine.Settings(
        headers,
        overrides(),
        values.readableFile(Setting.EGRESS_CA_FILE),
        certificates,
        httpProxy(),
        values.flag(Setting.PROXY_HTTP2),
        values.millis(Setting.PROXY_CONNECT_TIMEOUT_MS),
        values.millis(Setting.PROXY_ANSWER_TIMEOUT_MS),
        values.millis(Setting.PROXY_IDLE_TIMEOUT_MS),
        maxBody,
        Math.max(maxBody, budget),
        values.count(Setting.PROXY_DESTINATION_REQUESTS));
  }

  /**
   * Returns the allowed hosts. Empty means that all are allowed, so an invalid list never becomes
   * empty.
   */
  private Optional<Set<HostPattern>> allowedHosts() {
    Set<HostPattern> allowed =
        hosts(Setting.EGRESS_ALLOWED_HOSTS, HostPattern::isValid).stream()
            .map(HostPattern::new)
            .collect(Collectors.toSet());
    return values.text(Setting.EGRESS_ALLOWED_HOSTS).map(unused -> allowed);
  }

  /** Returns the hosts that pass the check, and notes a problem for each of the others. */
  private Set<String> hosts(Setting setting, Predicate<String> isValid) {
    List<String> hosts = values.list(setting);
    hosts.stream()
        .filter(isValid.negate())
        .forEach(
            host ->
                values.problem(
                    setting, "must be host names separated by commas; invalid: " + host));
    return hosts.stream().filter(isValid).collect(Collectors.toSet());
  }

  /** Returns whether a text is a host name rather than a literal address. */
  private static boolean isHostName(String host) {
    return HOST_NAME.matcher(host).matches() && !ADDRESS.matcher(host).matches();
  }

  /** Returns addresses by host name in lowercase; a name may be given several times. */
  private Map<String, List<InetAddress>> overrides() {
    Map<String, List<InetAddress>> overrides = new LinkedHashMap<>();
    for (String item : values.list(Setting.EGRESS_HOST_OVERRIDES)) {
      int equals = item.indexOf('=');
      Optional<InetAddress> address =
          equals < 1 ? Optional.empty() : address(item.substring(equals + 1).strip());
      if (address.isEmpty() || !HOST_NAME.matcher(item.substring(0, equals).strip()).matches()) {
        values.problem(
            Setting.EGRESS_HOST_OVERRIDES,
            "must be name=address pairs separated by commas; invalid: " + item);
      } else {
        overrides
            .computeIfAbsent(
                item.substring(0, equals).strip().toLowerCase(Locale.ROOT),
                unused -> new ArrayList<>())
            .add(address.get());
      }
    }
    return overrides;
  }

  private static Optional<InetAddress> address(String text) {
    try {
      // Only literal addresses are accepted, so that no DNS look-up happens here.
      return ADDRESS.matcher(text).matches()
          ? Optional.of(InetAddress.getByName(text))
          : Optional.empty();
    } catch (UnknownHostException invalid) {
      return Optional.empty();
    }
  }

  /**
   * Returns the client certificates that proxies may present to destinations; none if no keystore
   * is configured or it cannot be used.
   *
   * <p>The keystore is opened once, at the start: a wrong password, a key that cannot be decrypted
   * or an invalid alias is a problem of the configuration.
   */
  private ClientCertificates clientCertificates() {
    Optional<Path> file = values.readableFile(Setting.EGRESS_KEYSTORE_FILE);
    Optional<SensitiveValue> password = values.secret(Setting.EGRESS_KEYSTORE_PASSWORD);
    if (file.isPresent() && password.isEmpty()) {
      values.problem(Setting.EGRESS_KEYSTORE_PASSWORD, "is required with a keystore");
    }
    if (file.isEmpty() && password.isPresent()) {
      values.problem(Setting.EGRESS_KEYSTORE_FILE, "is required with its password");
    }
    return file.filter(Files::isReadable)
        .flatMap(path -> password.map(secret -> open(path, secret)))
        .orElseGet(ClientCertificates::none);
  }

  /** Opens the keystore and decrypts every private key in it once. */
  private ClientCertificates open(Path file, SensitiveValue password) {
    char[] characters = new String(password.open(), StandardCharsets.UTF_8).toCharArray();
    try {
      KeyStore store = KeyStore.getInstance(file.toFile(), characters);
      ClientCertificates certificates = ClientCertificates.of(store, characters);
      check(certificates.names());
      return certificates;
    } catch (IOException | GeneralSecurityException | IllegalArgumentException unusable) {
      // An IllegalArgumentException is thrown for a directory or a device, too.
      values.problem(
          Setting.EGRESS_KEYSTORE_FILE,
          "is not a keystore (PKCS12 or JKS) that the password opens with all its keys");
      return ClientCertificates.none();
    }
  }

  /** Adds a problem for each name of a certificate that does not match, or if there is none. */
  private void check(Set<String> names) {
    if (names.isEmpty()) {
      values.problem(Setting.EGRESS_KEYSTORE_FILE, "is a keystore without private keys");
    }
    names.stream()
        .filter(alias -> !ALIAS.matcher(alias).matches())
        .forEach(
            alias ->
                values.problem(
                    Setting.EGRESS_KEYSTORE_FILE,
                    "must be a keystore whose aliases are NAME or TENANT_ID/NAME; invalid: "
                        + alias));
  }

  /**
   * Returns the operator's own proxy; empty if none is configured or the URL is not valid. The URL
   * may contain a password and is never repeated.
   */
  private Optional<ForwardProxy> httpProxy() {
    Optional<SensitiveValue> url = values.secret(Setting.EGRESS_HTTP_PROXY);
    Optional<ForwardProxy> proxy = url.flatMap(EgressReader::parse);
    if (url.isPresent() && proxy.isEmpty()) {
      values.problem(
          Setting.EGRESS_HTTP_PROXY,
          "must be http:// or https://, optionally user:password@, then host and port, and"
              + " nothing else");
    }
    return proxy;
  }

  private static Optional<ForwardProxy> parse(SensitiveValue url) {
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

  private static Optional<ForwardProxy> of(URI uri) {
    String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
    boolean tls = scheme.equals(TLS_SCHEME);
    if (!tls && !scheme.equals("http")) {
      return Optional.empty();
    }
    int usualPort = tls ? HTTPS_PORT : HTTP_PORT;
    ForwardProxy proxy =
        ForwardProxy.at(
            uri.getHost().replaceAll("[\\[\\]]", ""),
            uri.getPort() < 0 ? usualPort : uri.getPort(),
            tls);
    return uri.getRawUserInfo() == null
        ? Optional.of(proxy)
        : authenticated(proxy, uri.getRawUserInfo());
  }

  /**
   * Returns a proxy with credentials; empty if they are incomplete or the user name contains a
   * colon, which Basic authentication cannot represent (RFC 7617, section 2).
   */
  private static Optional<ForwardProxy> authenticated(ForwardProxy proxy, String userInfo) {
    int colon = userInfo.indexOf(':');
    String user = decoded(userInfo.substring(0, Math.max(0, colon)));
    return user.isEmpty() || user.contains(":")
        ? Optional.empty()
        : Optional.of(proxy.authenticatedBy(user, decoded(userInfo.substring(colon + 1))));
  }

  /** Decodes percent-encoding (RFC 3986). Unlike in a form, a plus sign stands for itself. */
  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }
}
