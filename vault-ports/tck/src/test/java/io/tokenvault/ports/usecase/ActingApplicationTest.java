package io.tokenvault.ports.usecase;

import static io.tokenvault.ports.usecase.ActingProxy.BANK;
import static io.tokenvault.ports.usecase.Vault.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.request.ExpectedVersion;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenQuery;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.store.PageRequest;
import io.tokenvault.ports.store.model.ActingApplication;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.authorization.Caller.Bounds;
import io.tokenvault.ports.usecase.proxy.Admission;
import io.tokenvault.ports.usecase.tenant.ManageTenants.IssuedTenant;
import io.tokenvault.ports.usecase.token.CreatedToken;
import io.tokenvault.ports.usecase.token.TokenView;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Applications that act without their key, for the transforms of a proxy. */
final class ActingApplicationTest {

  private static final SensitiveValue SECRET = SensitiveValue.ofText("\"a secret\"");

  private final Vault vault = new Vault();
  private final TokenId id =
      vault.token(Draft.of("a secret").in("/pci/").withMask("{{ data | reveal_last: 2 }}")).id();
  private final Caller application =
      vault.caller("/pci/", AccessTransform.REVEAL, Permission.TOKEN_READ, Permission.TOKEN_UPDATE);

  private ActingProxy proxy(ApplicationId acting) {
    return new ActingProxy(vault, acting, Map.of());
  }

  private Caller acting(ActingProxy proxy) {
    return vault.invocations.acting(proxy.admit(), BANK).orElseThrow();
  }

  @Test
  void invocationWithoutApplicationHasNoActingCaller() {
    Admission byUrl =
        vault.invocations.admit(Optional.of(Vault.text(proxy(null).user())), Optional.empty());

    assertThat(vault.invocations.acting(proxy(null).admit(), BANK)).isEmpty();
    assertThat(vault.invocations.acting(byUrl, BANK)).isEmpty();
  }

  @Test
  void namedApplicationActsWithItsOwnPermissionsAndIsRecorded() {
    Caller acting = acting(proxy(application.application().id()));

    assertThat(vault.tokens.read(acting, id).data()).contains(SECRET);

    AuditEntry read = vault.entries().get(0);
    assertThat(read.message()).isEqualTo("Token retrieved");
    assertThat(read.actor()).isEqualTo(application.actor());
    assertRefused(FailureCause.PERMISSION_DENIED, () -> vault.tokens.delete(acting, id));
    assertThat(vault.entries().get(0).actor()).isEqualTo(application.actor());
  }

  @Test
  void applicationActsForAnonymousCallerOfOpenProxy() {
    Admission anonymous = proxy(application.application().id()).admitAnybody();

    Caller acting = vault.invocations.acting(anonymous, BANK).orElseThrow();

    assertThat(vault.tokens.read(acting, id).data()).contains(SECRET);
  }

  @Test
  void itsRightsAreThoseOfNow() {
    Caller acting = acting(proxy(application.application().id()));
    vault.disarm(application);
    int opened = vault.cipher.opened();

    assertRefused(FailureCause.PERMISSION_DENIED, () -> vault.tokens.read(acting, id));

    assertThat(vault.entries().get(0).message()).isEqualTo("Token read denied");
    assertThat(vault.cipher.opened()).isEqualTo(opened);
  }

  @Test
  void deletedApplicationCannotAct() {
    ApplicationId acting = application.application().id();
    ActingProxy proxy = proxy(acting);
    Admission admission = proxy.admit();
    Caller before = vault.invocations.acting(admission, BANK).orElseThrow();
    proxy.update(null, Map.of());
    vault.applications.delete(vault.manager(), acting, ExpectedVersion.ANY);

    assertRefused(FailureCause.PERMISSION_DENIED, () -> vault.invocations.acting(admission, BANK));
    assertRefused(FailureCause.PERMISSION_DENIED, () -> vault.tokens.read(before, id));
  }

  @Test
  void expiredApplicationCannotActAndIsRecorded() {
    Application mortal =
        vault
            .stores
            .applications()
            .create(
                Samples.expiring(vault.tenantId(), Vault.START.plusSeconds(60)),
                Samples.entry(vault.tenantId()));
    ActingApplication named = new ActingApplication(vault.tenantId(), mortal.id());
    Caller before = vault.authenticator.acting(named, Bounds.NONE);
    assertThat(before.application()).isEqualTo(mortal);
    vault.pass(Duration.ofMinutes(1));

    assertRefused(
        FailureCause.PERMISSION_DENIED, () -> vault.authenticator.acting(named, Bounds.NONE));
    assertThat(vault.messages().get(0)).isEqualTo("Use of an expired application denied");
    assertRefused(FailureCause.PERMISSION_DENIED, () -> vault.authenticator.reload(before));
    assertThat(vault.entries().get(0).entityId()).isEqualTo(mortal.id().toString());
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
    assertThat(vault.tokens.list(masked, TokenQuery.everything(), new PageRequest(1, 20)).items())
        .extracting(TokenView::data)
        .containsExactly(Optional.of(mask));
    assertThat(
            vault.json.write(
                vault.tokens.detokenize(masked, Draft.json("\"{{" + id.value() + "}}\""))))
        .isEqualTo(mask.open());
    assertThat(
            vault
                .changing
                .change(masked, id, new Patch().metadata("a", "b").toPatch(), new Violations())
                .data())
        .contains(mask);
    assertRefused(
        FailureCause.PERMISSION_DENIED,
        () ->
            vault.changing.change(
                masked, id, new Patch().mask("\"{{ data }}\"").toPatch(), new Violations()));
    assertThat(vault.tokens.read(vault.authenticator.acting(named, Bounds.NONE), id).data())
        .contains(SECRET);
  }

  @Test
  void actingApplicationCreatesTokensAsItself() {
    Caller maker = vault.caller(Permission.TOKEN_CREATE);
    Caller acting = acting(proxy(maker.application().id()));

    CreatedToken made = vault.creating.create(acting, Draft.of("x").toDraft(), new Violations());

    assertThat(made.view().token().provenance().createdBy()).contains(maker.id());
    assertThat(vault.entries().get(0).actor()).isEqualTo(maker.actor());
  }
}
