package io.tokenvault.ports.usecase;

import static io.tokenvault.ports.usecase.ProxyFixture.BANK;
import static io.tokenvault.ports.usecase.VaultFixture.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.store.model.ActingApplication;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.authorization.Caller.Bounds;
import io.tokenvault.ports.usecase.proxy.Admission;
import io.tokenvault.ports.usecase.tenant.ManageTenants.IssuedTenant;
import io.tokenvault.ports.usecase.token.TokenView;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests applications that act without their key, for the transforms of a proxy. */
final class ActingApplicationTest {

  private static final SensitiveValue SECRET = SensitiveValue.ofText("\"a secret\"");

  private final VaultFixture vault = new VaultFixture();
  private final TokenId id =
      vault.token(Draft.of("a secret").in("/pci/").withMask("{{ data | reveal_last: 2 }}")).id();
  private final Caller application =
      vault.caller("/pci/", AccessTransform.REVEAL, Permission.TOKEN_READ, Permission.TOKEN_UPDATE);

  private Caller acting(Caller named) {
    return vault.invocations.acting(new ProxyFixture(vault, named).admit(), BANK).orElseThrow();
  }

  @Test
  void invocationWithoutApplicationHasNoActingCaller() {
    ProxyFixture plain = new ProxyFixture(vault);

    assertThat(vault.invocations.acting(plain.admit(), BANK)).isEmpty();
    assertThat(vault.invocations.acting(vault.admit(plain.invokerKey()), BANK)).isEmpty();
  }

  @Test
  void namedApplicationActsWithItsOwnPermissionsAndIsRecorded() {
    Caller acting = acting(application);

    assertThat(vault.tokens.read(acting, id).data()).contains(SECRET);

    AuditEntry read = vault.entries().get(0);
    assertThat(read.message()).isEqualTo("Token retrieved");
    assertThat(read.actor()).isEqualTo(application.actor());
    assertRefused(FailureCause.PERMISSION_DENIED, () -> vault.tokens.delete(acting, id));
    assertThat(vault.entries().get(0).actor()).isEqualTo(application.actor());
  }

  @Test
  void applicationActsForAnonymousCallerOfOpenProxy() {
    Admission anonymous = new ProxyFixture(vault, application).admitAnonymous();

    Caller acting = vault.invocations.acting(anonymous, BANK).orElseThrow();

    assertThat(vault.tokens.read(acting, id).data()).contains(SECRET);
  }

  @Test
  void actingApplicationHasItsCurrentPermissions() {
    Caller acting = acting(application);
    vault.revokePermissions(application);

    vault.assertRefusedUndecrypted(
        FailureCause.PERMISSION_DENIED, () -> vault.tokens.read(acting, id));

    assertThat(vault.entries().get(0).message()).isEqualTo("Token read denied");
  }

  @Test
  void deletedApplicationCannotAct() {
    ProxyFixture proxy = new ProxyFixture(vault, application);
    Admission admission = proxy.admit();
    Caller before = vault.invocations.acting(admission, BANK).orElseThrow();
    proxy.update(null, Map.of());
    vault.deleteApplication(application);

    assertRefused(FailureCause.PERMISSION_DENIED, () -> vault.invocations.acting(admission, BANK));
    assertRefused(FailureCause.PERMISSION_DENIED, () -> vault.tokens.read(before, id));
  }

  @Test
  void expiredApplicationCannotActAndIsRecorded() {
    Application expiring =
        vault
            .stores
            .applications()
            .create(
                Samples.expiring(vault.tenantId(), VaultFixture.START.plusSeconds(60)),
                Samples.entry(vault.tenantId()));
    ActingApplication named = new ActingApplication(vault.tenantId(), expiring.id());
    Caller before = vault.authenticator.acting(named, Bounds.NONE);
    assertThat(before.application()).isEqualTo(expiring);
    vault.advanceClock(Duration.ofMinutes(1));

    assertRefused(
        FailureCause.PERMISSION_DENIED, () -> vault.authenticator.acting(named, Bounds.NONE));
    assertThat(vault.messages().get(0)).isEqualTo("Use of an expired application denied");
    assertRefused(FailureCause.PERMISSION_DENIED, () -> vault.authenticator.reload(before));
    assertThat(vault.entries().get(0).entityId()).isEqualTo(expiring.id().toString());
  }

  @Test
  void applicationOfAnotherTenantCannotAct() {
    IssuedTenant other = vault.otherTenant();
    ActingApplication foreign = new ActingApplication(vault.tenantId(), other.applicationId());

    assertRefused(
        FailureCause.PERMISSION_DENIED, () -> vault.authenticator.acting(foreign, Bounds.NONE));
  }

  @Test
  void ceilingLimitsAllReturnedData() {
    ActingApplication named =
        new ActingApplication(vault.tenantId(), application.application().id());
    Caller masked = vault.authenticator.acting(named, Bounds.MASKED);
    SensitiveValue mask = SensitiveValue.ofText("\"XXXXXXet\"");

    assertThat(vault.tokens.read(masked, id).data()).contains(mask);
    assertThat(vault.list(masked).items())
        .extracting(TokenView::data)
        .containsExactly(Optional.of(mask));
    assertThat(vault.json.write(vault.detokenize(masked, id))).isEqualTo(mask.open());
    assertThat(vault.change(masked, id, new Patch().metadata("a", "b")).data()).contains(mask);
    assertRefused(
        FailureCause.PERMISSION_DENIED,
        () -> vault.change(masked, id, new Patch().mask("\"{{ data }}\"")));
    assertThat(vault.tokens.read(vault.authenticator.acting(named, Bounds.NONE), id).data())
        .contains(SECRET);
  }

  @Test
  void actingApplicationCreatesTokensAsItself() {
    Caller creator = vault.caller(Permission.TOKEN_CREATE);
    Caller acting = acting(creator);

    assertThat(vault.create(acting, Draft.of("x")).view().token().provenance().createdBy())
        .contains(creator.id());
    assertThat(vault.entries().get(0).actor()).isEqualTo(creator.actor());
  }
}
