package io.tokenvault.ports.usecase;

import static io.tokenvault.ports.usecase.VaultFixture.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.access.AccessPolicyDraft;
import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.access.Condition;
import io.tokenvault.domain.access.Condition.Attribute;
import io.tokenvault.domain.access.Condition.Operator;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.application.ApplicationDraft;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.application.ApplicationUpdate;
import io.tokenvault.domain.application.KeyGrace;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.proxy.ProxyDraft;
import io.tokenvault.domain.request.ExpectedVersion;
import io.tokenvault.domain.request.UnchangedFields;
import io.tokenvault.domain.secret.ApiKey;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.store.TokenStore.NewToken;
import io.tokenvault.ports.usecase.application.ManageApplications;
import io.tokenvault.ports.usecase.application.ManageApplications.IssuedApplication;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.proxy.ProxyView;
import io.tokenvault.ports.usecase.tenant.ManageTenants.IssuedTenant;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Tests {@link ManageApplications} and the permissions of delegated applications. */
final class ApplicationsTest {

  private final VaultFixture vault = new VaultFixture();

  private static ApplicationDraft draft(String type, String... permissions) {
    return new ApplicationDraft(
        "made by a test", type, new AccessPolicyDraft(List.of(permissions), null), null, null);
  }

  private IssuedApplication create(Caller caller, ApplicationDraft draft) {
    return vault.applications.create(caller, draft, new Violations());
  }

  private IssuedApplication create(String type, String permission) {
    return create(vault.manager(), draft(type, permission));
  }

  @Test
  void keyOfCreatedApplicationAuthenticates() {
    IssuedApplication issued = create("private", "token:read");

    assertThat(vault.caller(issued.key()).application()).isEqualTo(issued.application());
    assertThat(issued.application().provenance().createdBy())
        .contains(vault.tenant.applicationId().value());
    assertThat(vault.messages().get(0)).isEqualTo("Application created");
  }

  @Test
  void privateApplicationWithoutFlagCannotCreateApplications() {
    Caller caller = vault.caller(Permission.TOKEN_READ);

    assertRefused(
        FailureCause.PERMISSION_DENIED, () -> create(caller, draft("expiring", "token:read")));

    assertThat(vault.messages().get(0)).startsWith("Denied: missing permission");
  }

  @Test
  void childHasNoMoreAccessThanItsDelegatorCurrentlyHas() {
    TokenId token = vault.token("/pci/", "a secret");
    ApiKey delegator =
        vault.delegatorKey(
            VaultFixture.rule("/pci/", AccessTransform.REVEAL, Permission.TOKEN_READ));
    ApiKey child = create(vault.caller(delegator), revealingDraft(token)).key();
    assertThat(vault.tokens.read(vault.caller(child), token).data()).isPresent();

    vault.replacePolicy(
        vault.caller(delegator),
        VaultFixture.rule("/pci/", AccessTransform.MASK, Permission.TOKEN_READ));
    assertThat(vault.tokens.read(vault.caller(child), token).data()).isEmpty();

    vault.replacePolicy(
        vault.caller(delegator),
        VaultFixture.rule("/other/", AccessTransform.REVEAL, Permission.TOKEN_READ));
    assertRefused(
        FailureCause.PERMISSION_DENIED, () -> vault.tokens.read(vault.caller(child), token));
  }

  private static ApplicationDraft revealingDraft(TokenId token) {
    Condition condition = new Condition(Attribute.ID, Operator.EQUALS, token.value());
    AccessPolicyDraft policy =
        AccessPolicyDraft.empty()
            .rule("a token", List.of(condition), AccessTransform.REVEAL, Permission.TOKEN_READ);
    return new ApplicationDraft("child", "expiring", policy, null, null);
  }

  @Test
  void childOfDeletedDelegatorIsDenied() {
    TokenId token = vault.token("/pci/", "a secret");
    ApiKey delegator =
        vault.delegatorKey(
            VaultFixture.rule("/pci/", AccessTransform.REVEAL, Permission.TOKEN_READ));
    ApiKey child = create(vault.caller(delegator), revealingDraft(token)).key();
    vault.deleteApplication(vault.caller(delegator));

    vault.assertRefusedUndecrypted(
        FailureCause.PERMISSION_DENIED, () -> vault.tokens.read(vault.caller(child), token));
  }

  private Application update(ApplicationId id, String name, String... permissions) {
    return vault.applications.update(
        vault.manager(),
        id,
        new ApplicationUpdate(name, new AccessPolicyDraft(List.of(permissions), null), null),
        ExpectedVersion.ANY,
        new Violations());
  }

  private Application updateWith(Application known, Map<String, Object> fields) {
    ApplicationUpdate update =
        new ApplicationUpdate(
            "new",
            new AccessPolicyDraft(List.of("token:read"), List.of()),
            null,
            new UnchangedFields(fields));
    return vault.applications.update(
        vault.manager(), known.id(), update, ExpectedVersion.ANY, new Violations());
  }

  @Test
  void immutableFieldsAreAcceptedOnlyUnchanged() {
    Application known = create("expiring", "token:read").application();
    Map<String, Object> stored =
        Map.of(
            "id", known.id().value(),
            "tenant_id", known.tenantId().value(),
            "type", "expiring",
            "expires_at", known.expiresAt().orElseThrow(),
            "created_by", known.provenance().createdBy().orElseThrow(),
            "created_at", known.provenance().createdAt());

    assertThat(updateWith(known, stored).settings().name().value()).isEqualTo("new");
    stored.forEach(
        (name, value) -> {
          Object other =
              value instanceof UUID
                  ? UUID.randomUUID()
                  : value instanceof Instant time ? time.plusNanos(1000) : "private";
          assertThat(VaultFixture.errors(() -> updateWith(known, Map.of(name, other))))
              .isEqualTo(
                  Map.of(name, List.of("cannot be changed; send the stored value or omit it")));
        });
  }

  @Test
  void absentImmutableFieldIsRejected() {
    Application known = create("private", "token:read").application();

    assertThat(
            VaultFixture.errors(() -> updateWith(known, Map.of("expires_at", VaultFixture.START))))
        .containsOnlyKeys("expires_at");
  }

  @Test
  void versionMismatchLeavesApplicationUnchanged() {
    IssuedApplication issued = create("private", "token:read");
    ApplicationId id = issued.application().id();
    ExpectedVersion other = ExpectedVersion.oneOf(Set.of(issued.application().version() + 1));
    List<String> messages = vault.messages();
    ApplicationUpdate update =
        new ApplicationUpdate("new", new AccessPolicyDraft(List.of("token:read"), null), null);

    assertRefused(
        FailureCause.PRECONDITION_FAILED,
        () -> vault.applications.update(vault.manager(), id, update, other, new Violations()));
    assertRefused(
        FailureCause.PRECONDITION_FAILED,
        () -> vault.applications.regenerate(vault.manager(), id, KeyGrace.NONE, other));
    assertRefused(
        FailureCause.PRECONDITION_FAILED,
        () -> vault.applications.delete(vault.manager(), id, other));

    assertThat(vault.messages()).isEqualTo(messages);
    assertThat(vault.caller(issued.key()).application()).isEqualTo(issued.application());
  }

  @Test
  void unknownAndForeignIdsAreNotFound() {
    IssuedTenant other = vault.otherTenant();

    for (ApplicationId id : List.of(other.applicationId(), new ApplicationId(UUID.randomUUID()))) {
      assertRefused(FailureCause.NOT_FOUND, () -> vault.applications.read(vault.manager(), id));
      assertRefused(FailureCause.NOT_FOUND, () -> update(id, "x", "token:read"));
      assertRefused(FailureCause.NOT_FOUND, () -> vault.regenerate(id, KeyGrace.NONE));
      assertRefused(
          FailureCause.NOT_FOUND,
          () -> vault.applications.delete(vault.manager(), id, ExpectedVersion.ANY));
    }
    assertThat(vault.caller(other.key())).isNotNull();
  }

  @Test
  void applicationOfProxyIsNotDeleted() {
    ApplicationId id = create("private", "token:use").application().id();
    ProxyView proxy =
        vault.proxies.create(
            vault.manager(),
            new ProxyDraft("p", "https://api.example.com", id, null, null, null, null, Map.of()),
            new Violations());

    assertRefused(
        FailureCause.APPLICATION_IN_USE,
        () -> vault.applications.delete(vault.manager(), id, ExpectedVersion.ANY));

    vault.proxies.delete(vault.manager(), proxy.proxy().id(), ExpectedVersion.ANY);
    vault.applications.delete(vault.manager(), id, ExpectedVersion.ANY);
    assertRefused(FailureCause.NOT_FOUND, () -> vault.applications.read(vault.manager(), id));
  }

  @Test
  void readsAreRecorded() {
    vault.applications.read(vault.manager(), vault.tenant.applicationId());
    assertThat(vault.messages().get(0)).isEqualTo("Application retrieved");
    assertThat(vault.applications.readByKey(vault.manager()).application().id())
        .isEqualTo(vault.tenant.applicationId());
  }

  @Test
  void unrecordableReadReturnsNothing() {
    Caller manager = vault.manager();
    vault.recorder.fail();

    assertRefused(
        FailureCause.STORE_UNAVAILABLE,
        () -> vault.applications.read(manager, vault.tenant.applicationId()));
  }

  @Test
  void sweepDeletesAndRecordsExpiredApplications() {
    ApplicationId id = create("expiring", "token:read").application().id();
    vault.advanceClock(Duration.ofMinutes(2));

    assertThat(vault.sweep.run()).isEqualTo(1);

    assertThat(vault.sweep.run()).isZero();
    assertThat(vault.messages().get(0)).isEqualTo("Application expired");
    assertThat(vault.entries().get(0).entityId()).isEqualTo(id.toString());
    assertThat(vault.entries().get(0).actor().type()).contains("system");
  }

  @Test
  void sweepContinuesUntilNoExpiredTokenRemains() {
    for (int i = 0; i < 1001; i++) {
      NewToken token = Samples.expiringToken(vault.tenantId(), "token-" + i, VaultFixture.START);
      vault.stores.tokens().create(List.of(token), Samples::expiry);
    }

    assertThat(vault.sweep.run()).isEqualTo(1001);
  }
}
