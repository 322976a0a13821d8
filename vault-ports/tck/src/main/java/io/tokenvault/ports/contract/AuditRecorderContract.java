package io.tokenvault.ports.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.proxy.Proxy;
import io.tokenvault.domain.proxy.TenantEgress;
import io.tokenvault.domain.request.ExpectedVersion;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.Token;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.audit.AuditRecorder.Outcome;
import io.tokenvault.ports.crypto.KeyPurpose;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.store.Preconditions;
import io.tokenvault.ports.store.TokenStore.TokenUpdate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Contract tests for {@link AuditRecorder}. */
public abstract class AuditRecorderContract extends StoreContract {

  private Application application;
  private Proxy proxy;
  private Token token;
  private Preconditions preconditions;

  @BeforeEach
  void createResources() {
    application = createApplication(Samples.application(tenant));
    proxy = createProxy(Samples.proxy(tenant)).proxy();
    token = createToken(Samples.token(tenant));
    preconditions = Preconditions.none(tenant).with(application).with(proxy).with(List.of(token));
  }

  private Outcome record(Preconditions expected) {
    return stores
        .recorder()
        .record(
            List.of(
                Samples.entry(expected.tenantId(), "first"),
                Samples.entry(expected.tenantId(), "second")),
            expected);
  }

  private void assertRecorded(Preconditions expected) {
    assertThat(record(expected)).isEqualTo(Outcome.RECORDED);
    assertThat(messages(expected.tenantId())).startsWith("second", "first");
  }

  private void assertStale(Preconditions outdated) {
    assertThat(record(outdated)).isEqualTo(Outcome.STALE);
    assertThat(messages(outdated.tenantId())).doesNotContain("first", "second");
  }

  @Test
  void entriesAreRecordedWhilePreconditionsMatch() {
    assertRecorded(preconditions);
  }

  @Test
  void entriesWithoutPreconditionsAreAlwaysRecorded() {
    assertRecorded(Preconditions.none(tenant));
    assertRecorded(Preconditions.none(Samples.tenantId()));
  }

  @Test
  void entriesPreserveTheirOrder() {
    List<AuditEntry> entries =
        IntStream.range(0, 200).mapToObj(i -> Samples.entry(tenant, "entry " + i)).toList();

    stores.recorder().record(entries, preconditions);

    List<String> expected = new ArrayList<>(entries.stream().map(AuditEntry::message).toList());
    Collections.reverse(expected);
    assertThat(messages(tenant)).startsWith(expected.toArray(String[]::new));
  }

  @Test
  void changedApplicationIsStale() {
    // An update to equal settings counts as a change.
    stores
        .applications()
        .update(
            tenant,
            application.id(),
            ExpectedVersion.ANY,
            Samples.SETTINGS,
            Optional.empty(),
            Samples.entry(tenant));

    assertStale(preconditions);
  }

  @Test
  void applicationWithNewKeyIsStale() {
    replaceKey(tenant, application.id(), Samples.hash());

    assertStale(preconditions);
  }

  @Test
  void deletedApplicationIsStale() {
    deleteApplication(tenant, application.id());

    assertStale(preconditions);
  }

  @Test
  void expiredApplicationIsStale() {
    Instant expiresAt = soon();
    Application expiring = createApplication(Samples.expiring(tenant, expiresAt));
    Application unexpired = createApplication(Samples.expiring(tenant, farFuture()));

    waitUntil(expiresAt);

    assertStale(Preconditions.none(tenant).with(expiring));
    assertRecorded(Preconditions.none(tenant).with(unexpired));
  }

  @Test
  void oneStaleApplicationOfSeveralPreventsRecording() {
    Application other = createApplication(Samples.application(tenant));
    Preconditions both = preconditions.with(other);
    deleteApplication(tenant, other.id());

    assertStale(both);
  }

  @Test
  void changedProxyIsStale() {
    stores
        .proxies()
        .update(
            tenant,
            proxy.id(),
            ExpectedVersion.ANY,
            proxy.settings(),
            marked(),
            Map.of(),
            UUID.randomUUID(),
            Samples.entry(tenant));

    assertStale(preconditions);
  }

  @Test
  void deletedProxyIsStale() {
    stores.proxies().delete(tenant, proxy.id(), ExpectedVersion.ANY, Samples.entry(tenant));

    assertStale(preconditions);
  }

  @Test
  void existingKeysSatisfyPrecondition() {
    assertRecorded(preconditions.withKeys());
    addKeys(Samples.key(KeyPurpose.DATA, 2));
    assertRecorded(Preconditions.none(tenant).withKeys());
  }

  @Test
  void destroyedKeysAreStale() {
    destroyKeys(tenant);

    assertStale(preconditions.withKeys());
    assertStale(Preconditions.none(tenant).withKeys());
    assertRecorded(preconditions);
  }

  @Test
  void keysOfMissingTenantAreStale() {
    deleteTenant(tenant);

    assertStale(Preconditions.none(tenant).withKeys());
    assertStale(Preconditions.none(Samples.tenantId()).withKeys());
    assertRecorded(Preconditions.none(otherTenant).withKeys());
  }

  @Test
  void entryBasedOnDestroyedKeysIsNotRecorded() {
    Preconditions expected = Preconditions.none(tenant).withKeys();

    Race.run(
        i ->
            i == Race.RUNNERS / 2
                ? destroyKeys(tenant)
                : stores.recorder().record(List.of(Samples.entry(tenant, "decrypted")), expected)
                    == Outcome.RECORDED);

    assertThat(record(expected)).isEqualTo(Outcome.STALE);
  }

  private TenantEgress changeEgress(TenantId tenantId, UnaryOperator<TenantEgress> change) {
    return stores
        .tenants()
        .changeEgress(tenantId, change, Samples.entry(tenantId, "destinations changed"))
        .orElseThrow();
  }

  private static Preconditions requiring(TenantId tenantId, TenantEgress egress) {
    return Preconditions.none(tenantId).with(egress);
  }

  @Test
  void unchangedEgressPolicySatisfiesPrecondition() {
    assertRecorded(preconditions.with(TenantEgress.initial()));
    TenantEgress changed = changeEgress(tenant, egress -> egress.withUrlHeader(false));
    assertRecorded(requiring(tenant, changed));
  }

  @Test
  void changedEgressPolicyIsStale() {
    changeEgress(tenant, egress -> egress.with(Samples.binding("/pci/", "api.example.com")));

    assertStale(preconditions.with(TenantEgress.initial()));
    assertStale(requiring(tenant, TenantEgress.initial()));
    assertRecorded(preconditions);
  }

  @Test
  void restoredEgressPolicyIsStale() {
    changeEgress(tenant, egress -> egress.withUrlHeader(false));
    changeEgress(tenant, egress -> egress.withUrlHeader(true));

    assertStale(requiring(tenant, TenantEgress.initial()));
  }

  @Test
  void egressPolicyOfAnotherTenantIsIgnored() {
    TenantEgress foreign = changeEgress(otherTenant, egress -> egress.withUrlHeader(false));

    assertStale(requiring(tenant, foreign));
    assertRecorded(requiring(tenant, TenantEgress.initial()));
    assertRecorded(requiring(otherTenant, foreign));
  }

  @Test
  void egressPolicyOfMissingTenantIsStale() {
    deleteTenant(tenant);

    assertStale(requiring(tenant, TenantEgress.initial()));
    assertStale(requiring(Samples.tenantId(), TenantEgress.initial()));
    assertRecorded(requiring(otherTenant, TenantEgress.initial()));
  }

  @Test
  void entryBasedOnChangedEgressPolicyIsNotRecorded() {
    Preconditions expected = requiring(tenant, TenantEgress.initial());

    Race.run(
        i ->
            i == Race.RUNNERS / 2
                ? changeEgress(tenant, egress -> egress.withUrlHeader(false)).version() == 2
                : stores.recorder().record(List.of(Samples.entry(tenant, "used")), expected)
                    == Outcome.RECORDED);

    assertThat(record(expected)).isEqualTo(Outcome.STALE);
  }

  @Test
  void changedTokenIsStale() {
    updateToken(
        tenant,
        token.id(),
        token.version(),
        new TokenUpdate(token.settings(), Optional.empty(), false, CHANGER));

    assertStale(preconditions);
  }

  @Test
  void deletedTokenIsStale() {
    deleteToken(token);

    assertStale(preconditions);
  }

  @Test
  void tokenReusingDeletedIdDoesNotSatisfyPrecondition() {
    deleteToken(token);
    createToken(Samples.token(tenant, token.id().value(), Samples.tokenSettings("/other/")));

    assertStale(preconditions);
  }

  @Test
  void expiredTokenIsStale() {
    Instant expiresAt = soon();
    Token expiring = createToken(Samples.expiringToken(tenant, "temporary", expiresAt));

    waitUntil(expiresAt);

    assertStale(preconditions.with(List.of(expiring)));
  }

  @Test
  void tokenAtAnotherVersionIsStale() {
    assertStale(
        new Preconditions(
            tenant,
            Map.of(),
            Map.of(),
            Map.of(token.id(), token.version() + 1),
            Optional.empty(),
            false,
            Optional.empty(),
            Optional.empty()));
  }

  @Test
  void nonexistentApplicationIsStale() {
    assertStale(Samples.preconditions(tenant, new ApplicationId(UUID.randomUUID()), 1));
  }

  @Test
  void resourcesOfAnotherTenantAreStale() {
    Preconditions none = Preconditions.none(otherTenant);
    assertStale(none.with(application));
    assertStale(none.with(proxy));
    assertStale(none.with(List.of(token)));
  }

  @Test
  void manyPreconditionsAreCheckedTogether() {
    List<Token> tokens =
        IntStream.range(0, 100).mapToObj(i -> createToken(Samples.token(tenant))).toList();
    Preconditions many = preconditions.with(tokens);
    assertThat(stores.recorder().record(List.of(Samples.entry(tenant, "all match")), many))
        .isEqualTo(Outcome.RECORDED);
    Token last = tokens.get(99);

    deleteToken(last);

    assertStale(many);
  }

  @Test
  void concurrentEntriesAreAllRecorded() {
    List<Outcome> outcomes = Race.run(i -> record(preconditions));

    assertThat(outcomes).containsOnly(Outcome.RECORDED);
    assertThat(messages(tenant)).filteredOn("first"::equals).hasSize(Race.RUNNERS);
    assertThat(messages(tenant)).filteredOn("second"::equals).hasSize(Race.RUNNERS);
  }

  @Test
  void staleConcurrentEntriesAreNotRecorded() {
    Token deleted = createToken(Samples.token(tenant));
    Preconditions stale = preconditions.with(List.of(deleted));
    deleteToken(deleted);

    List<Outcome> outcomes = Race.run(i -> record(i % 2 == 0 ? preconditions : stale));

    for (int i = 0; i < Race.RUNNERS; i++) {
      assertThat(outcomes.get(i)).isEqualTo(i % 2 == 0 ? Outcome.RECORDED : Outcome.STALE);
    }
    assertThat(messages(tenant)).filteredOn("first"::equals).hasSize(Race.RUNNERS / 2);
    assertThat(messages(tenant)).filteredOn("second"::equals).hasSize(Race.RUNNERS / 2);
  }

  @Test
  void supersededKeysAreStaleIfNewestKeysAreRequired() {
    Preconditions newest = Preconditions.none(tenant).withNewest(keysOf(tenant));
    assertRecorded(newest);

    addKeys(Samples.key(KeyPurpose.DATA, 2));

    assertThat(record(newest)).isEqualTo(Outcome.STALE);
    assertThat(record(Preconditions.none(tenant).withNewest(keysOf(tenant))))
        .isEqualTo(Outcome.RECORDED);
  }

  private TenantKeys keysOf(TenantId tenantId) {
    return stores.keys().find(tenantId).orElseThrow();
  }

  @Test
  void asynchronousEntryIsRecorded() {
    assertThat(stores.recorder().recordSoon(List.of(Samples.entry(tenant, "soon")))).isTrue();

    poll(() -> messages(tenant).contains("soon"));
  }

  @Test
  void entryIsNotRecordedAfterChangeThatInvalidatesIt() {
    for (int i = 0; i < 10; i++) {
      Token contested = createToken(Samples.token(tenant));
      String id = contested.id().value();
      AuditEntry used = Samples.entry(tenant, EntityType.TENANT, id, "used");
      AuditEntry deleted = Samples.entry(tenant, EntityType.TENANT, id, "deleted");
      Preconditions exists = Preconditions.none(tenant).with(List.of(contested));
      Race.run(
          List.of(
              () -> stores.recorder().record(List.of(used), exists),
              () -> stores.tokens().delete(tenant, contested.id(), contested.version(), deleted)));
      assertThat(stores.recorder().record(List.of(used), exists)).isEqualTo(Outcome.STALE);
    }
  }

  @Test
  void unwritableEntryReportsUnavailable() {
    fixture.refuseEntries();

    assertUnavailable(() -> record(preconditions));
    assertUnavailable(() -> record(Preconditions.none(tenant)));
  }

  @Test
  void brokenConnectionReportsUnavailableWithoutArguments() {
    fixture.breakConnection();

    assertUnavailable(
        () ->
            stores
                .recorder()
                .record(
                    List.of(Samples.entry(tenant, EntityType.TENANT, MARKER, MARKER)),
                    preconditions));
  }
}
