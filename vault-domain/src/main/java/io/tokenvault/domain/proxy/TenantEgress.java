package io.tokenvault.domain.proxy;

import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.access.TokenTraits;
import io.tokenvault.domain.failure.ValidationException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where the operator lets the tokens of one tenant go, whatever its applications may: the right to
 * use a token towards a destination of one's own choice is the right to read it.
 *
 * @param version grows with every change
 * @param urlHeader whether callers may name destinations with a request
 * @param unboundByUrl whether tokens outside bound containers may go to destinations that callers
 *     name
 * @param bindings ordered by container, then host; at most {@link #MAX_BINDINGS}
 */
public record TenantEgress(
    long version, boolean urlHeader, boolean unboundByUrl, List<ContainerBinding> bindings) {

  /** Every use of a token reads them all. */
  public static final int MAX_BINDINGS = 200;

  private static final Comparator<ContainerBinding> ORDER =
      Comparator.comparing((ContainerBinding each) -> each.container().path())
          .thenComparing(each -> each.host().text());

  /**
   * @throws ValidationException at {@code container}, if there are too many bindings
   */
  public TenantEgress {
    bindings = bindings.stream().distinct().sorted(ORDER).toList();
    if (bindings.size() > MAX_BINDINGS) {
      throw ValidationException.of(
          "container", "a tenant can have at most " + MAX_BINDINGS + " bindings");
    }
  }

  /** What a new tenant has: callers may name destinations, and nothing is bound. */
  public static TenantEgress initial() {
    return new TenantEgress(1, true, true, List.of());
  }

  public TenantEgress withUrlHeader(boolean allowed) {
    return new TenantEgress(version, allowed, unboundByUrl, bindings);
  }

  public TenantEgress withUnboundByUrl(boolean allowed) {
    return new TenantEgress(version, urlHeader, allowed, bindings);
  }

  public TenantEgress with(ContainerBinding binding) {
    return withBindings(Stream.concat(bindings.stream(), Stream.of(binding)).toList());
  }

  /**
   * Without the bindings of exactly this container.
   *
   * @param host only the binding to this pattern; empty: all of them
   */
  public TenantEgress without(Container container, Optional<HostPattern> host) {
    return withBindings(
        bindings.stream()
            .filter(
                each ->
                    !each.container().equals(container)
                        || !host.map(each.host()::equals).orElse(true))
            .toList());
  }

  private TenantEgress withBindings(List<ContainerBinding> changed) {
    return new TenantEgress(version, urlHeader, unboundByUrl, changed);
  }

  /** The same at the version after another's, whatever its own: no version comes twice. */
  public TenantEgress after(TenantEgress stored) {
    return new TenantEgress(stored.version() + 1, urlHeader, unboundByUrl, bindings);
  }

  /**
   * Whether a token's data may go there: every container of the token must allow it. One that
   * several bound containers cover needs a matching binding of each of them.
   */
  public boolean allows(TokenTraits token, Delivery delivery) {
    return (urlHeader || !delivery.chosenByCaller())
        && token.containers().stream().allMatch(container -> allows(container, delivery));
  }

  /** Whether any of a token's containers is bound, or under one that is. */
  public boolean binds(TokenTraits token) {
    return !hostsOfEach(token).isEmpty();
  }

  /**
   * Whether a token that moves could be sent to more destinations than before. Sometimes true where
   * only several bindings together leave it no more than it had, but never false where it could.
   */
  public boolean frees(TokenTraits before, TokenTraits after) {
    return !hostsOfEach(before).stream().allMatch(hosts -> narrows(after, hosts))
        || (!unboundByUrl && isPartlyUnbound(before) && !isPartlyUnbound(after));
  }

  /** Whether a token may be sent to none but these hosts. */
  private boolean narrows(TokenTraits token, Set<HostPattern> hosts) {
    return hostsOfEach(token).stream()
        .anyMatch(
            own -> own.stream().allMatch(host -> hosts.stream().anyMatch(it -> it.covers(host))));
  }

  /** The hosts of each bound container that covers the token, all of which have to allow it. */
  private Set<Set<HostPattern>> hostsOfEach(TokenTraits token) {
    return token.containers().stream()
        .flatMap(each -> boundAbove(each).values().stream())
        .map(Set::copyOf)
        .collect(Collectors.toSet());
  }

  /** Whether a binding names exactly this host, rather than all hosts under a name. */
  public boolean names(String host) {
    return bindings.stream().anyMatch(each -> each.host().isExact() && each.host().matches(host));
  }

  private boolean isPartlyUnbound(TokenTraits token) {
    return token.containers().stream().anyMatch(each -> boundAbove(each).isEmpty());
  }

  private Map<Container, List<HostPattern>> boundAbove(Container container) {
    return bindings.stream()
        .filter(each -> each.container().covers(container))
        .collect(
            Collectors.groupingBy(
                ContainerBinding::container,
                Collectors.mapping(ContainerBinding::host, Collectors.toList())));
  }

  private boolean allows(Container container, Delivery delivery) {
    Map<Container, List<HostPattern>> bound = boundAbove(container);
    if (bound.isEmpty()) {
      return unboundByUrl || !delivery.chosenByCaller();
    }
    return bound.values().stream()
        .allMatch(hosts -> hosts.stream().anyMatch(host -> host.matches(delivery.host())));
  }
}
