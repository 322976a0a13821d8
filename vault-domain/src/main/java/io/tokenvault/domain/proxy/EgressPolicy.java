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
 * The operator's rules for the destinations of requests.
 *
 * @param allowedHosts the only hosts allowed; empty for any host with public addresses
 * @param privateHosts names that may be local and may resolve to addresses that are not public
 * @param clientCertificates the names of certificates that proxies may present to destinations; one
 *     that begins with a tenant's id and a slash belongs to that tenant only
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

  /** Returns the policy that allows every public host and has no certificates. */
  public static EgressPolicy publicHosts() {
    return new EgressPolicy(Optional.empty(), Set.of(), Set.of());
  }

  private static Set<String> lowerCase(Set<String> names) {
    return names.stream()
        .map(name -> name.toLowerCase(Locale.ROOT))
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Returns the reason to reject a destination regardless of its addresses; empty if it is allowed.
   */
  public Optional<String> refusal(Destination destination) {
    if (destination.isLocalName() && !isNamedByOperator(destination.host())) {
      return Optional.of("must name a public DNS host, not a local one");
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
   * Returns the full name of a certificate that a tenant's proxy names: the tenant's own, or else a
   * shared one; empty if there is none.
   */
  public Optional<String> clientCertificate(TenantId tenantId, String name) {
    String lowerCase = name.toLowerCase(Locale.ROOT);
    return Stream.of(tenantId + TENANT_END + lowerCase, lowerCase)
        .filter(each -> !lowerCase.contains(TENANT_END) && clientCertificates.contains(each))
        .findFirst();
  }

  /** Returns whether a connection for this host may be opened to this address. */
  public boolean mayDial(String host, InetAddress address) {
    return privateHosts.contains(host) || PublicAddresses.contains(address);
  }

  /**
   * Returns whether connections may be opened to a name with these addresses: one forbidden address
   * rejects the name.
   */
  public boolean mayDialAll(String host, List<InetAddress> addresses) {
    return addresses.stream().allMatch(address -> mayDial(host, address));
  }
}
