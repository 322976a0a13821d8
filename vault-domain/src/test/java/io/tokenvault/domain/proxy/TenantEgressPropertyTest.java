package io.tokenvault.domain.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.access.AccessArbitraries;
import io.tokenvault.domain.access.AccessModel;
import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.access.TokenTraits;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Compares {@link TenantEgress} with a simple model in which host names are lists of labels. */
class TenantEgressPropertyTest implements AccessArbitraries {

  @Property
  void allowedDeliveriesMatchRules(
      @ForAll("egresses") TenantEgress egress,
      @ForAll("tokens") TokenTraits token,
      @ForAll("deliveries") Delivery delivery) {
    boolean allBound =
        boundAbove(egress, token)
            .allMatch(container -> isBoundTo(egress, container, delivery.host()));
    boolean hasUnbound =
        token.containers().stream().anyMatch(each -> boundAbove(egress, each).findAny().isEmpty());
    boolean mayChoose = egress.urlHeader() && (egress.unboundByUrl() || !hasUnbound);

    assertThat(egress.allows(token, delivery))
        .isEqualTo(allBound && (mayChoose || !delivery.chosenByCaller()));
  }

  @Property
  void bindingNeverNarrowsBoundNorWidensUnboundContainer(
      @ForAll("egresses") TenantEgress egress,
      @ForAll("bindings") ContainerBinding added,
      @ForAll("tokens") TokenTraits token,
      @ForAll("hosts") String host) {
    boolean isBound =
        egress.bindings().stream().anyMatch(each -> each.container().equals(added.container()));
    Delivery delivery = new Delivery(host, false);
    boolean before = egress.allows(token, delivery);
    boolean after = egress.with(added).allows(token, delivery);

    assertThat(isBound ? after || !before : before || !after).isTrue();
  }

  @Property
  void moveAllowsNewDeliveryOnlyIfItFreesToken(
      @ForAll("egresses") TenantEgress egress,
      @ForAll("tokens") TokenTraits before,
      @ForAll("tokens") TokenTraits after,
      @ForAll("deliveries") Delivery delivery) {
    if (egress.allows(after, delivery) && !egress.allows(before, delivery)) {
      assertThat(egress.frees(before, after)).isTrue();
    }
    assertThat(egress.frees(before, before)).isFalse();
  }

  private static Stream<Container> boundAbove(TenantEgress egress, TokenTraits token) {
    return token.containers().stream().flatMap(each -> boundAbove(egress, each));
  }

  private static Stream<Container> boundAbove(TenantEgress egress, Container container) {
    return egress.bindings().stream()
        .map(ContainerBinding::container)
        .filter(bound -> AccessModel.covers(bound, container));
  }

  private static boolean isBoundTo(TenantEgress egress, Container container, String host) {
    return egress.bindings().stream()
        .filter(each -> each.container().equals(container))
        .anyMatch(each -> matches(labels(each.host().text()), labels(host)));
  }

  private static List<String> labels(String name) {
    return List.of(name.split("\\."));
  }

  private static boolean matches(List<String> pattern, List<String> host) {
    if (!pattern.get(0).equals("*")) {
      return pattern.equals(host);
    }
    List<String> parent = pattern.subList(1, pattern.size());
    return host.size() > parent.size()
        && host.subList(host.size() - parent.size(), host.size()).equals(parent);
  }

  @Provide
  Arbitrary<TenantEgress> egresses() {
    return Combinators.combine(
            Arbitraries.of(true, true, false),
            Arbitraries.of(true, false),
            bindings().list().ofMaxSize(5))
        .as((byUrl, unbound, bindings) -> new TenantEgress(1, byUrl, unbound, bindings));
  }

  @Provide
  Arbitrary<ContainerBinding> bindings() {
    return Combinators.combine(containers(), patterns()).as(ContainerBinding::new);
  }

  @Provide
  Arbitrary<Delivery> deliveries() {
    return Combinators.combine(hosts(), Arbitraries.of(true, false)).as(Delivery::new);
  }

  /** Generates few names, so that they match often. */
  @Provide
  Arbitrary<String> hosts() {
    return Arbitraries.of("a", "b", "ab", "com")
        .list()
        .ofMinSize(1)
        .ofMaxSize(3)
        .map(labels -> String.join(".", labels));
  }

  private Arbitrary<HostPattern> patterns() {
    return Combinators.combine(Arbitraries.of("", "*."), hosts())
        .as((star, name) -> new HostPattern(star + name));
  }
}
