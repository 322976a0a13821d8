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
 * The operator's rules for the destinations of one tenant's tokens. They apply regardless of
 * permissions: whoever may use a token at a destination of their choice can read it.
 *
 * @param version incremented by every change
 * @param urlHeader whether callers may name destinations in a request
 * @param unboundByUrl whether tokens outside bound containers may be sent to destinations that
 *     callers name
 * @param bindings ordered by container, then host; at most {@link #MAX_BINDINGS}
 */
public record TenantEgress(
    long version, boolean urlHeader, boolean unboundByUrl, List<ContainerBinding> bindings) {

  /** The maximum number of bindings; every use of a token loads all of them. */
  public static final int MAX_BINDINGS = 200;

  private static final Comparator<ContainerBinding> ORDER =
      Comparator.comparing((ContainerBinding each) -> each.container().path())
          .thenComparing(each -> each.host().text());

  /**
   * Creates the rules. Duplicate bindings are removed.
   *
   * @throws ValidationException at {@code container} if there are too many bindings
   */
  public TenantEgress {
    bindings = bindings.stream().distinct().sorted(ORDER).toList();
    if (bindings.size() > MAX_BINDINGS) {
      throw ValidationException.of(
          "container", "a tenant can have at most " + MAX_BINDINGS + " bindings");
    }
  }

  /**
   * Returns the rules of a new tenant: callers may name destinations, and no container is bound.
   */
  public static TenantEgress initial() {
    return new TenantEgress(1, true, true, List.of());
  }

  /** Returns a copy in which callers may or may not name destinations. */
  public TenantEgress withUrlHeader(boolean allowed) {
    return new TenantEgress(version, allowed, unboundByUrl, bindings);
  }

  /**
   * Returns a copy in which unbound tokens may or may not be sent to destinations that callers
   * name.
   */
  public TenantEgress withUnboundByUrl(boolean allowed) {
    return new TenantEgress(version, urlHeader, allowed, bindings);
  }

  /**
   * Returns a copy with an additional binding.
   *
   * @throws ValidationException if there are too many bindings
   */
  public TenantEgress with(ContainerBinding binding) {
    return withBindings(Stream.concat(bindings.stream(), Stream.of(binding)).toList());
  }

  /**
   * Returns a copy without the bindings of exactly this container.
   *
   * @param host removes only the binding to this pattern; empty for all of them
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

  /**
   * Returns a copy with the version after that of the stored rules, so that versions are never
   * reused.
   */
  public TenantEgress after(TenantEgress stored) {
    return new TenantEgress(stored.version() + 1, urlHeader, unboundByUrl, bindings);
  }

  /**
   * Returns whether a token's data may be sent to a destination. Every container of the token must
   * allow it; if several bound containers cover one, each needs a matching binding.
   */
  public boolean allows(TokenTraits token, Delivery delivery) {
    if (!urlHeader && delivery.chosenByCaller()) {
      return false;
    }
    for (Container container : token.containers()) {
      if (!allows(container, delivery)) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether any of a token's containers is bound, or below one that is. */
  public boolean binds(TokenTraits token) {
    return !hostsOfEach(token).isEmpty();
  }

  /**
   * Returns whether moving a token could allow more destinations than before. The result is
   * conservative: it can be true where several bindings together allow no more than before, but is
   * never false where more is allowed.
   */
  public boolean frees(TokenTraits before, TokenTraits after) {
    return !hostsOfEach(before).stream().allMatch(hosts -> narrows(after, hosts))
        || (!unboundByUrl && isPartlyUnbound(before) && !isPartlyUnbound(after));
  }

  /** Returns whether a token may be sent to none but these hosts. */
  private boolean narrows(TokenTraits token, Set<HostPattern> hosts) {
    return hostsOfEach(token).stream()
        .anyMatch(
            own -> own.stream().allMatch(host -> hosts.stream().anyMatch(it -> it.covers(host))));
  }

  /**
   * Returns the hosts of each bound container that covers the token; all of them must allow a
   * destination.
   */
  private Set<Set<HostPattern>> hostsOfEach(TokenTraits token) {
    return token.containers().stream()
        .flatMap(each -> boundAbove(each).values().stream())
        .map(Set::copyOf)
        .collect(Collectors.toSet());
  }

  /** Returns whether a binding names exactly this host, rather than all hosts below a name. */
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
    Map<Container, List<HostPattern>> bound = bindings.isEmpty() ? Map.of() : boundAbove(container);
    if (bound.isEmpty()) {
      return unboundByUrl || !delivery.chosenByCaller();
    }
    return bound.values().stream()
        .allMatch(hosts -> hosts.stream().anyMatch(host -> host.matches(delivery.host())));
  }
}
