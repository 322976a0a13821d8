package io.tokenvault.domain.proxy;

import io.tokenvault.domain.tenant.TenantId;
import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where the operator lets requests go.
 *
 * @param allowedHosts empty: any host whose addresses are public
 * @param privateHosts names that may be local and may resolve to addresses that are not public
 * @param clientCertificates the names of certificates that proxies may show to destinations; one
 *     that begins with a tenant's id and a slash is that tenant's only
 */
public record EgressPolicy(
    Optional<Set<HostPattern>> allowedHosts,
    Set<String> privateHosts,
    Set<String> clientCertificates) {

  private static final String TENANT_END = "/";

  public EgressPolicy {
    allowedHosts = allowedHosts.map(Set::copyOf);
    privateHosts = lowerCase(privateHosts);
    clientCertificates = lowerCase(clientCertificates);
  }

  /** Any public host. */
  public static EgressPolicy publicHosts() {
    return new EgressPolicy(Optional.empty(), Set.of(), Set.of());
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
    if (!isAllowed(destination.host())) {
      return Optional.of("must be a host that the operator of this vault allows");
    }
    return Optional.empty();
  }

  private boolean isNamedByOperator(String host) {
    return privateHosts.contains(host)
        || allowedHosts.stream()
            .flatMap(Set::stream)
            .anyMatch(pattern -> pattern.isExact() && pattern.matches(host));
  }

  private boolean isAllowed(String host) {
    return allowedHosts
        .map(patterns -> patterns.stream().anyMatch(pattern -> pattern.matches(host)))
        .orElse(true);
  }

  /**
   * The full name of a certificate that a tenant's proxy names: the tenant's own, or else one that
   * is everybody's; empty if there is none.
   */
  public Optional<String> clientCertificate(TenantId tenantId, String name) {
    String lowerCase = name.toLowerCase(Locale.ROOT);
    return Stream.of(tenantId + TENANT_END + lowerCase, lowerCase)
        .filter(each -> !lowerCase.contains(TENANT_END) && clientCertificates.contains(each))
        .findFirst();
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
