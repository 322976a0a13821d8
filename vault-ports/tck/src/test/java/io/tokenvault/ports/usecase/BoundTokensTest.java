package io.tokenvault.ports.usecase;

import static io.tokenvault.ports.usecase.ProxyFixture.BANK;
import static io.tokenvault.ports.usecase.ProxyFixture.ELSEWHERE;
import static io.tokenvault.ports.usecase.VaultFixture.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.proxy.Destination;
import io.tokenvault.domain.proxy.TenantEgress;
import io.tokenvault.domain.secret.ApiKey;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.usecase.proxy.Admission;
import io.tokenvault.ports.usecase.proxy.ProxyInvocations;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Tests {@link ProxyInvocations} with tokens in bound containers. */
final class BoundTokensTest {

  private static final UnaryOperator<TenantEgress> BIND_PCI =
      egress -> egress.with(Samples.binding("/pci/", BANK.host()));
  private static final UnaryOperator<TenantEgress> NO_URL_HEADER =
      egress -> egress.withUrlHeader(false);

  private final VaultFixture vault = new VaultFixture();
  private final ApiKey user = vault.key(Permission.TOKEN_USE);
  private final TokenId card = vault.token("/pci/high/", "a card");
  private final TokenId other = vault.token("/general/", "another");

  private Admission byUrl() {
    return vault.admit(user);
  }

  private Admission byProxy() {
    return new ProxyFixture(vault).admit();
  }

  private void assertDeniedAndRecorded(
      FailureCause cause, Admission admission, Destination destination, TokenId... ids) {
    vault.assertRefusedUndecrypted(cause, () -> vault.begin(admission, destination, ids));

    assertThat(vault.messages()).contains("Proxy invocation denied");
    assertThat(vault.messages()).doesNotContain("Token used", "Proxy invoked");
  }

  @Test
  void boundTokenIsSentToItsDestination() {
    vault.changeEgress(BIND_PCI);

    assertThat(vault.begin(byUrl(), BANK, card, other))
        .containsOnlyKeys(card.value(), other.value());
    assertThat(vault.messages().subList(0, 3))
        .containsExactly("Token used", "Token used", "Proxy invoked");
  }

  @Test
  void boundTokenIsDeniedElsewhereAndDenialIsRecorded() {
    vault.changeEgress(BIND_PCI);

    assertDeniedAndRecorded(FailureCause.TOKENS_BOUND, byUrl(), ELSEWHERE, card);

    AuditEntry use = vault.entries().get(0);
    AuditEntry invocation = vault.entries().get(1);
    assertThat(use.message()).isEqualTo("Token use denied");
    assertThat(use.entityId()).isEqualTo(card.value());
    assertThat(use.operation()).isEqualTo(Operation.USE);
    assertThat(invocation.message()).isEqualTo("Proxy invocation denied");
    assertThat(invocation.entityId()).isEqualTo(ELSEWHERE.host());
  }

  @Test
  void proxyDoesNotBypassBinding() {
    vault.changeEgress(BIND_PCI);

    assertDeniedAndRecorded(FailureCause.TOKENS_BOUND, byProxy(), ELSEWHERE, card);
    assertThat(vault.begin(byProxy(), BANK, card)).hasSize(1);
  }

  @Test
  void oneBoundTokenRejectsAllAndIsNamed() {
    vault.changeEgress(BIND_PCI);

    assertThatThrownBy(() -> vault.begin(byUrl(), ELSEWHERE, card, other))
        .hasMessage("These tokens may not be sent to this destination: " + card.value());

    assertThat(vault.cipher.decryptions()).isZero();
    assertThat(vault.messages()).filteredOn("Token use denied"::equals).hasSize(1);
  }

  @Test
  void bindingIsHiddenFromCallersWhoMayNotUseToken() {
    vault.changeEgress(BIND_PCI);
    ApiKey limited = vault.key("/general/", AccessTransform.REVEAL, Permission.TOKEN_USE);

    assertDeniedAndRecorded(
        FailureCause.TOKENS_FORBIDDEN, vault.admit(limited), ELSEWHERE, card, other);
    assertRefused(
        FailureCause.UNKNOWN_TOKENS,
        () -> vault.begin(byUrl(), ELSEWHERE, card, new TokenId("nothing")));
  }

  @Test
  void unrecordableDenialReturnsStoreUnavailable() {
    vault.changeEgress(BIND_PCI);
    Admission admission = byUrl();
    vault.recorder.fail();

    vault.assertRefusedUndecrypted(
        FailureCause.STORE_UNAVAILABLE, () -> vault.begin(admission, ELSEWHERE, card));
  }

  @Test
  void bindingAddedBetweenDecisionAndRecordApplies() {
    Admission admission = byUrl();
    vault.recorder.beforeRecord(() -> vault.changeEgress(BIND_PCI));

    assertDeniedAndRecorded(FailureCause.TOKENS_BOUND, admission, ELSEWHERE, card);
  }

  @Test
  void bindingAddedAfterAdmissionApplies() {
    Admission admission = byUrl();
    Admission throughProxy = byProxy();
    vault.changeEgress(BIND_PCI);

    assertDeniedAndRecorded(FailureCause.TOKENS_BOUND, admission, ELSEWHERE, card);
    assertDeniedAndRecorded(FailureCause.TOKENS_BOUND, throughProxy, ELSEWHERE, card);
  }

  @Test
  void changeThatStillAllowsIsDecidedAgainAndRecordedOnce() {
    Admission admission = byUrl();
    vault.lookup.drain();
    vault.recorder.beforeRecord(() -> vault.changeEgress(BIND_PCI));

    assertThat(vault.begin(admission, BANK, card)).hasSize(1);

    assertThat(vault.lookup.drain()).hasSize(2);
    assertThat(vault.messages()).filteredOn("Token used"::equals).hasSize(1);
    assertThat(vault.cipher.decryptions()).isEqualTo(1);
  }

  @Test
  void egressPolicyOfAnotherTenantHasNoEffect() {
    TenantId foreign = vault.otherTenant().tenantId();
    vault.changeEgress(
        foreign, egress -> BIND_PCI.apply(egress).withUrlHeader(false).withUnboundByUrl(false));
    Admission admission = byUrl();
    vault.lookup.drain();
    vault.recorder.beforeRecord(
        () -> vault.changeEgress(foreign, egress -> egress.withUrlHeader(true)));

    vault.invocations.requireUrlHeader(admission);
    assertThat(vault.begin(admission, ELSEWHERE, card, other)).hasSize(2);

    assertThat(vault.lookup.drain()).hasSize(1);
  }

  @Test
  void unboundTokensCanBeBlockedForCallerSuppliedUrls() {
    vault.changeEgress(egress -> BIND_PCI.apply(egress).withUnboundByUrl(false));

    assertDeniedAndRecorded(FailureCause.TOKENS_BOUND, byUrl(), ELSEWHERE, other);
    assertDeniedAndRecorded(FailureCause.TOKENS_BOUND, byUrl(), BANK, card, other);
    assertThat(vault.begin(byUrl(), BANK, card)).hasSize(1);
    assertThat(vault.begin(byProxy(), ELSEWHERE, other)).hasSize(1);
  }

  @Test
  void urlHeaderIsAcceptedUntilDisabled() {
    int before = vault.messages().size();
    vault.invocations.requireUrlHeader(byUrl());
    assertThat(vault.messages()).hasSize(before);
    vault.changeEgress(NO_URL_HEADER);

    assertRefused(FailureCause.URL_HEADER_OFF, () -> vault.invocations.requireUrlHeader(byUrl()));

    AuditEntry entry = vault.entries().get(0);
    assertThat(entry.message()).isEqualTo("Proxy invocation denied");
    assertThat(entry.operation()).isEqualTo(Operation.INVOKE);
    assertThat(entry.entityType()).isEqualTo(EntityType.APPLICATION);
    assertThat(entry.entityId()).isEqualTo(entry.actor().id().orElseThrow().toString());
    assertThat(vault.messages().get(1)).isEqualTo("Destinations changed");
  }

  @Test
  void unrecordableUrlHeaderRejectionReturnsStoreUnavailable() {
    vault.changeEgress(NO_URL_HEADER);
    Admission admission = byUrl();
    vault.recorder.fail();

    assertRefused(
        FailureCause.STORE_UNAVAILABLE, () -> vault.invocations.requireUrlHeader(admission));
  }

  @Test
  void urlHeaderDisabledAfterAdmissionSendsNothing() {
    Admission admission = byUrl();
    vault.invocations.requireUrlHeader(admission);
    vault.changeEgress(NO_URL_HEADER);

    assertDeniedAndRecorded(FailureCause.URL_HEADER_OFF, admission, ELSEWHERE, card);
    assertRefused(FailureCause.OVERLOADED, () -> vault.begin(admission, ELSEWHERE));

    assertThat(vault.messages()).doesNotContain("Proxy invoked");
  }

  @Test
  void urlHeaderDisabledBetweenDecisionAndRecordSendsNothing() {
    Admission admission = byUrl();
    vault.recorder.beforeRecord(() -> vault.changeEgress(NO_URL_HEADER));

    assertDeniedAndRecorded(FailureCause.URL_HEADER_OFF, admission, ELSEWHERE, card);
  }

  @Test
  void proxiesWorkWhileUrlHeaderIsDisabled() {
    vault.changeEgress(NO_URL_HEADER);

    assertThat(vault.begin(byProxy(), ELSEWHERE, card)).hasSize(1);
    assertThat(vault.begin(byProxy(), ELSEWHERE)).isEmpty();
  }
}
