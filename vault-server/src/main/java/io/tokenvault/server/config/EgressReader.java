package io.tokenvault.server.config;

import io.tokenvault.domain.proxy.EgressPolicy;
import io.tokenvault.domain.proxy.HostPattern;
import io.tokenvault.server.config.Configuration.ClientKeys;
import io.tokenvault.server.config.Configuration.Egress;
import java.net.InetAddress;
import java.net.UnknownHostException;
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
 * Reads the egress policy and the way to destinations: overrides, authorities and an HTTP proxy.
 */
final class EgressReader {

  private static final Pattern HOST_NAME =
      Pattern.compile("[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?");
  private static final Pattern ADDRESS =
      Pattern.compile("[0-9]{1,3}(?:\\.[0-9]{1,3}){3}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");

  private final SettingValues values;

  EgressReader(SettingValues values) {
    this.values = values;
  }

  /**
   * Returns the settings. The names of the client certificates become part of the egress policy.
   */
  Egress read() {
    Optional<ClientKeys> keys = new ClientKeysReader(values).read();
    return new Egress(
        new EgressPolicy(
            allowedHosts(),
            hosts(Setting.EGRESS_PRIVATE_HOSTS, EgressReader::isHostName),
            keys.map(ClientKeys::names).orElse(Set.of())),
        overrides(),
        values.readableFile(Setting.EGRESS_CA_FILE),
        keys,
        new HttpProxyReader(values).read());
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

  /** Returns the hosts that match the shape, and notes a problem for each of the others. */
  private Set<String> hosts(Setting setting, Predicate<String> shape) {
    List<String> hosts = values.list(setting);
    hosts.stream()
        .filter(shape.negate())
        .forEach(
            host -> values.problem(setting, "must be host names between commas; not one: " + host));
    return hosts.stream().filter(shape).collect(Collectors.toSet());
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
            Setting.EGRESS_HOST_OVERRIDES, "must be name=address between commas; not one: " + item);
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
}
