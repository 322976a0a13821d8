package io.tokenvault.engine.forward.egress;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Finds the addresses of a host name. Implementations are thread-safe.
 *
 * <pre>{@code
 * HostResolver resolver = HostResolver.system().overriddenBy(Map.of("api.example", addresses));
 * }</pre>
 */
@FunctionalInterface
public interface HostResolver {

  /**
   * Returns the addresses of a name, waiting as long as it takes.
   *
   * @param host in lower case
   * @return at least one address
   * @throws UnknownHostException if the name does not resolve
   */
  List<InetAddress> resolve(String host) throws UnknownHostException;

  /** Returns the resolver of the operating system. */
  static HostResolver system() {
    return host -> List.of(InetAddress.getAllByName(host));
  }

  /**
   * Returns a resolver that uses fixed addresses for some names and this resolver for all others.
   *
   * @param overrides addresses by host name, in any case
   */
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
