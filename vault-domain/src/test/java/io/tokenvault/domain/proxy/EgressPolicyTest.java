package io.tokenvault.domain.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.tenant.TenantId;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EgressPolicyTest {

  private static final EgressPolicy ANY = EgressPolicy.publicHosts();
  private static final TenantId TENANT = new TenantId(new UUID(1, 1));
  private static final TenantId OTHER_TENANT = new TenantId(new UUID(1, 2));

  @Test
  void onlyPublicHostsAreAllowedByDefault() throws Exception {
    assertThat(ANY.refusal(Destination.parse("https://example.com"))).isEmpty();
    assertThat(ANY.refusal(Destination.parse("https://localhost"))).isPresent();
    assertThat(ANY.refusal(Destination.parse("https://db.localhost"))).isPresent();
    assertThat(ANY.refusal(Destination.parse("https://intranet"))).isPresent();
  }

  @Test
  void operatorCanAllowLocalHosts() throws Exception {
    EgressPolicy policy = new EgressPolicy(Optional.empty(), Set.of("Intranet"), Set.of());

    assertThat(policy.refusal(Destination.parse("https://intranet"))).isEmpty();
    assertThat(policy.mayDial("intranet", address("10.0.0.1"))).isTrue();
    assertThat(policy.mayDial("other", address("10.0.0.1"))).isFalse();
    assertThat(policy.refusal(Destination.parse("https://localhost"))).isPresent();
  }

  @ParameterizedTest
  @CsvSource({
    "api.example.com, true", "API.example.com, true", "www.example.com, false",
    "x.partner.net, true", "x.y.partner.net, true", "partner.net, false",
    "evilpartner.net, false", "api.example.com.evil.net, false"
  })
  void onlyListedHostsAreAllowed(String host, boolean allowed) throws Exception {
    EgressPolicy policy = allowing("api.Example.com", "*.partner.net");

    assertThat(policy.refusal(Destination.parse("https://" + host)).isEmpty()).isEqualTo(allowed);
  }

  @Test
  void emptyListAllowsNoHost() throws Exception {
    EgressPolicy policy = allowing();

    assertThat(policy.refusal(Destination.parse("https://example.com"))).isPresent();
  }

  @Test
  void allowedHostMayNotUsePrivateAddress() throws Exception {
    EgressPolicy policy = allowing("example.com");

    assertThat(policy.mayDial("example.com", address("127.0.0.1"))).isFalse();
    assertThat(policy.mayDial("example.com", address("8.8.8.8"))).isTrue();
  }

  @Test
  void oneNonpublicAddressRejectsHostName() throws Exception {
    assertThat(ANY.mayDialAll("x.com", List.of(address("8.8.8.8"), address("8.8.4.4")))).isTrue();
    assertThat(ANY.mayDialAll("x.com", List.of(address("8.8.8.8"), address("::1")))).isFalse();
  }

  @Test
  void exactLocalNameIsAllowedButNotItsPrivateAddress() throws Exception {
    EgressPolicy policy = allowing("intranet", "*.localhost");

    assertThat(policy.refusal(Destination.parse("https://intranet"))).isEmpty();
    assertThat(policy.refusal(Destination.parse("https://db.localhost"))).isPresent();
    assertThat(policy.mayDial("intranet", address("10.0.0.1"))).isFalse();
  }

  private static EgressPolicy withCertificates(String... names) {
    return new EgressPolicy(Optional.empty(), Set.of(), Set.of(names));
  }

  @Test
  void certificateWithoutTenantIsSharedByAllTenants() {
    EgressPolicy policy = withCertificates("Bank");

    assertThat(policy.clientCertificate(TENANT, "bank")).contains("bank");
    assertThat(policy.clientCertificate(OTHER_TENANT, "BANK")).contains("bank");
    assertThat(policy.clientCertificate(TENANT, "other")).isEmpty();
    assertThat(policy.clientCertificate(TENANT, "")).isEmpty();
  }

  @Test
  void tenantCertificateOverridesSharedCertificate() {
    EgressPolicy policy = withCertificates("bank", TENANT + "/bank");

    assertThat(policy.clientCertificate(TENANT, "bank")).contains(TENANT + "/bank");
    assertThat(policy.clientCertificate(OTHER_TENANT, "bank")).contains("bank");
  }

  @Test
  void certificateOfAnotherTenantIsNotAvailable() {
    EgressPolicy policy = withCertificates(OTHER_TENANT + "/bank");

    assertThat(policy.clientCertificate(TENANT, "bank")).isEmpty();
    assertThat(policy.clientCertificate(TENANT, OTHER_TENANT + "/bank")).isEmpty();
    assertThat(policy.clientCertificate(OTHER_TENANT, "bank")).contains(OTHER_TENANT + "/bank");
  }

  @Test
  void certificateNameWithSlashMatchesNothing() {
    EgressPolicy policy = withCertificates("bank", "a/b", TENANT + "/bank", TENANT + "/a/b");

    for (String name : List.of(TENANT + "/bank", "a/b", "/bank", "bank/", "/", "../bank")) {
      assertThat(policy.clientCertificate(TENANT, name)).as(name).isEmpty();
    }
  }

  private static EgressPolicy allowing(String... hosts) {
    return new EgressPolicy(
        Optional.of(Arrays.stream(hosts).map(HostPattern::new).collect(Collectors.toSet())),
        Set.of(),
        Set.of());
  }

  private static InetAddress address(String literal) throws UnknownHostException {
    return InetAddress.getByName(literal);
  }
}
