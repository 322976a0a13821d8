package io.tokenvault.engine.forward.egress;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Finds the addresses of a host name. All threads may share one instance. */
@FunctionalInterface
public interface HostResolver {

  /**
   * @param host in lower case
   * @return at least one address
   */
  List<InetAddress> resolve(String host) throws UnknownHostException;

  /** The system's resolver. */
  static HostResolver system() {
    return host -> List.of(InetAddress.getAllByName(host));
  }

  /** The same, but for these names. */
  default HostResolver overriddenBy(Map<String, List<InetAddress>> overrides) {
    Map<String, List<InetAddress>> lowerCase =
        overrides.entrySet().stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    entry -> entry.getKey().toLowerCase(Locale.ROOT),
                    entry -> List.copyOf(entry.getValue())));
    return host -> lowerCase.containsKey(host) ? lowerCase.get(host) : resolve(host);
  }
}
