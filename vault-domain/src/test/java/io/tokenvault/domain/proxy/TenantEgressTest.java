package io.tokenvault.domain.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.access.AccessArbitraries;
import io.tokenvault.domain.access.AccessModel;
import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.access.TokenTraits;
import io.tokenvault.domain.failure.ValidationException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class TenantEgressTest implements AccessArbitraries {

  private static final TenantEgress INITIAL = TenantEgress.initial();

  private static ContainerBinding binding(String container, String host) {
    return new ContainerBinding(new Container(container), new HostPattern(host));
  }

  private static TenantEgress bound(String... containersAndHosts) {
    TenantEgress egress = INITIAL;
    for (int i = 0; i < containersAndHosts.length; i += 2) {
      egress = egress.with(binding(containersAndHosts[i], containersAndHosts[i + 1]));
    }
    return egress;
  }

  private static TokenTraits tokenIn(String... containers) {
    return new TokenTraits(
        "a-token", Arrays.stream(containers).map(Container::new).collect(Collectors.toSet()));
  }

  @Test
  void moveOutOfBoundContainerFreesToken() {
    TenantEgress egress =
        bound("/pci/", "*.stripe.com", "/pci/high/", "api.stripe.com", "/pii/", "api.stripe.com");

    assertThat(egress.frees(tokenIn("/pci/"), tokenIn("/general/"))).isTrue();
    assertThat(egress.frees(tokenIn("/pci/high/"), tokenIn("/pci/low/"))).isTrue();
    assertThat(egress.frees(tokenIn("/pci/", "/general/"), tokenIn("/general/"))).isTrue();
    assertThat(egress.frees(tokenIn("/pci/low/"), tokenIn("/pci/high/"))).isFalse();
    assertThat(egress.frees(tokenIn("/pci/"), tokenIn("/pci/", "/general/"))).isFalse();
    assertThat(egress.frees(tokenIn("/general/"), tokenIn("/pci/"))).isFalse();
    assertThat(egress.frees(tokenIn("/general/"), tokenIn("/other/"))).isFalse();
    assertThat(egress.frees(tokenIn("/pci/high/"), tokenIn("/pii/"))).isFalse();
    assertThat(egress.frees(tokenIn("/pii/"), tokenIn("/pci/low/"))).isTrue();
  }

  @Test
  void tokenIsBoundIfAnyContainerIsBound() {
    TenantEgress egress = bound("/pci/", "*.stripe.com", "/pii/", "api.stripe.com");

    assertThat(egress.binds(tokenIn("/pci/high/", "/general/"))).isTrue();
    assertThat(egress.binds(tokenIn("/general/"))).isFalse();
    assertThat(egress.names("api.stripe.com")).isTrue();
    assertThat(egress.names("secret.stripe.com")).isFalse();
  }

  @Test
  void moveIntoBoundContainerFreesTokenBarredFromUrlHeader() {
    TenantEgress egress = bound("/pci/", "api.stripe.com").withUnboundByUrl(false);

    assertThat(egress.frees(tokenIn("/general/"), tokenIn("/pci/"))).isTrue();
    assertThat(egress.frees(tokenIn("/general/"), tokenIn("/pci/", "/other/"))).isFalse();
    assertThat(egress.frees(tokenIn("/pci/"), tokenIn("/pci/low/"))).isFalse();
  }

  @Test
  void bindingsAreSortedAndUnique() {
    TenantEgress egress =
        bound("/b/", "b.example", "/a/", "z.example", "/b/", "a.example", "/B/", "B.example");

    assertThat(egress.bindings())
        .containsExactly(
            binding("/a/", "z.example"), binding("/b/", "a.example"), binding("/b/", "b.example"));
    assertThat(egress)
        .isEqualTo(bound("/b/", "a.example", "/b/", "b.example", "/a/", "z.example"))
        .isEqualTo(egress.with(binding("/a/", "z.example")));
  }

  @Test
  void bindingsAreRemovedFromExactContainerOnly() {
    TenantEgress egress =
        bound("/a/", "a.example", "/a/", "b.example", "/a/b/", "a.example", "/", "a.example");
    Container container = new Container("/a/");

    assertThat(egress.without(container, Optional.empty()))
        .isEqualTo(bound("/a/b/", "a.example", "/", "a.example"));
    assertThat(egress.without(container, Optional.of(new HostPattern("A.example"))))
        .isEqualTo(bound("/a/", "b.example", "/a/b/", "a.example", "/", "a.example"));
    assertThat(egress.without(container, Optional.of(new HostPattern("*.example"))))
        .isEqualTo(egress);
    assertThat(egress.without(new Container("/b/"), Optional.empty())).isEqualTo(egress);
  }

  @Test
  void moreThanTwoHundredBindingsAreRejected() {
    TenantEgress full =
        new TenantEgress(
            1,
            true,
            true,
            IntStream.range(0, TenantEgress.MAX_BINDINGS)
                .mapToObj(i -> binding("/c" + i + "/", "api.example.com"))
                .toList());

    assertThat(full.bindings()).hasSize(200);
    assertThat(full.with(full.bindings().get(0))).isEqualTo(full);
    assertThatThrownBy(() -> full.with(binding("/one-more/", "api.example.com")))
        .isInstanceOfSatisfying(
            ValidationException.class,
            refused -> assertThat(refused.errors()).containsOnlyKeys("container"));
  }

  @Test
  void changesPreserveUnrelatedSettings() {
    TenantEgress egress = bound("/a/", "a.example").withUrlHeader(false).withUnboundByUrl(false);

    assertThat(egress)
        .isEqualTo(new TenantEgress(1, false, false, List.of(binding("/a/", "a.example"))));
    assertThat(egress.withUrlHeader(true).withUnboundByUrl(true))
        .isEqualTo(bound("/a/", "a.example"));
  }

  @Test
  void nextVersionDependsOnlyOnStoredVersion() {
    TenantEgress stored = new TenantEgress(41, false, true, List.of());

    assertThat(INITIAL.after(stored)).isEqualTo(new TenantEgress(42, true, true, List.of()));
  }

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
