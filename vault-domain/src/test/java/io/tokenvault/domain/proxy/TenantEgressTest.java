package io.tokenvault.domain.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.access.TokenTraits;
import io.tokenvault.domain.failure.ValidationException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TenantEgressTest {

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
}
