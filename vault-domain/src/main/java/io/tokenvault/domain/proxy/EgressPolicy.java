package io.tokenvault.domain.proxy;

import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Where the operator lets requests go.
 *
 * @param allowedHosts exact names, or {@code *.} and a name for all names under it; empty: any host
 *     whose addresses are public
 * @param privateHosts names that may be local and may resolve to addresses that are not public
 */
public record EgressPolicy(Optional<Set<String>> allowedHosts, Set<String> privateHosts) {

  private static final String ANY_LABELS = "*.";

  public EgressPolicy {
    Objects.requireNonNull(allowedHosts, "allowedHosts");
    allowedHosts = allowedHosts.map(EgressPolicy::lowerCase);
    privateHosts = lowerCase(privateHosts);
  }

  /** Any public host. */
  public static EgressPolicy publicHosts() {
    return new EgressPolicy(Optional.empty(), Set.of());
  }

  private static Set<String> lowerCase(Set<String> names) {
    return names.stream()
        .map(name -> name.toLowerCase(Locale.ROOT))
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Why the destination may not be used whatever its name resolves to; empty if it may. */
  public Optional<String> refusal(Destination destination) {
    if (destination.isLocalName() && !isNamedByOperator(destination.host())) {
      return Optional.of("must name a public DNS host, not one of the local network");
    }
    if (allowedHosts.isPresent() && !isAllowed(destination.host(), allowedHosts.get())) {
      return Optional.of("must be a host that the operator of this vault allows");
    }
    return Optional.empty();
  }

  private boolean isNamedByOperator(String host) {
    return privateHosts.contains(host)
        || allowedHosts.map(each -> each.contains(host)).orElse(false);
  }

  private static boolean isAllowed(String host, Set<String> patterns) {
    return patterns.contains(host)
        || patterns.stream()
            .filter(pattern -> pattern.startsWith(ANY_LABELS))
            .anyMatch(pattern -> host.endsWith(pattern.substring(1)));
  }

  /** Whether a connection for this host may be made to this address. */
  public boolean mayDial(String host, InetAddress address) {
    return privateHosts.contains(host) || PublicAddresses.contains(address);
  }

  /**
   * Whether a name with these addresses may be used at all: one address that may not be dialled
   * refuses the name.
   */
  public boolean mayDialAll(String host, List<InetAddress> addresses) {
    return addresses.stream().allMatch(address -> mayDial(host, address));
  }
}
