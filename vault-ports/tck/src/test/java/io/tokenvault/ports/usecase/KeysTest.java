package io.tokenvault.ports.usecase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.secret.ApiKey;
import io.tokenvault.domain.tenant.ResourceName;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.audit.LogFilter;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.crypto.KeyPurpose;
import io.tokenvault.ports.crypto.MasterKeyId;
import io.tokenvault.ports.crypto.MasterKeyId.Use;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.crypto.WrappedKey;
import io.tokenvault.ports.memory.FakeKeyWrapper;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.LookupRequest;
import io.tokenvault.ports.store.TenantStore.NewTenant;
import io.tokenvault.ports.store.TokenStore.NewToken;
import io.tokenvault.ports.usecase.authorization.Authenticator;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.authorization.Requirement;
import io.tokenvault.ports.usecase.key.KeysetGuard;
import io.tokenvault.ports.usecase.key.KeysetGuard.NodesLackKeyException;
import io.tokenvault.ports.usecase.key.KeysetGuard.WrongKeysetException;
import io.tokenvault.ports.usecase.key.ManageTenantKeys;
import io.tokenvault.ports.usecase.key.ManageTenantKeys.Outcome;
import io.tokenvault.ports.usecase.key.ManageTenantKeys.TenantStatus;
import io.tokenvault.ports.usecase.key.ReencryptFields;
import io.tokenvault.ports.usecase.key.ReencryptFields.Progress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class KeysTest {

  private final VaultFixture vault = new VaultFixture();
  private final ManageTenantKeys keys = manageKeys(vault.wrapper);
  private final KeysetGuard guard = new KeysetGuard(vault.stores.keysetRegistry());
  private final ReencryptFields reencryption =
      new ReencryptFields(vault.stores.keys(), vault.stores.encryptedFields(), vault.cipher);

  private ManageTenantKeys manageKeys(FakeKeyWrapper wrapper) {
    return new ManageTenantKeys(
        vault.stores.keys(), vault.stores.encryptedFields(), wrapper, vault.recorder);
  }

  private TenantKeys stored(TenantId id) {
    return vault.stores.keys().find(id).orElseThrow();
  }

  private List<String> tenantMessages(TenantId id) {
    return vault.stores.auditLog().walk(id, LogFilter.all(), Optional.empty(), 100).stream()
        .filter(each -> each.entry().entityType().equals(EntityType.TENANT))
        .map(each -> each.entry().message())
        .toList();
  }

  @Test
  void rotationAddsVersionForEveryPurposeAndRetainsEarlierOnes() {
    assertThat(keys.rotate(vault.tenantId())).isEqualTo(Outcome.DONE);
    assertThat(keys.rotate(vault.tenantId())).isEqualTo(Outcome.DONE);
    for (KeyPurpose purpose : KeyPurpose.values()) {
      assertThat(stored(vault.tenantId()).versions(purpose))
          .extracting(WrappedKey::version)
          .containsExactly(3, 2, 1);
    }
    assertThat(tenantMessages(vault.tenantId())).startsWith("Keys rotated", "Keys rotated");
  }

  @Test
  void rotateAllSkipsShreddedTenants() {
    TenantId shredded = vault.otherTenant().tenantId();
    keys.shred(shredded);
    assertThat(keys.rotateAll()).isEqualTo(1);
    assertThat(stored(shredded).areDestroyed()).isTrue();
    assertThat(keys.rotate(shredded)).isEqualTo(Outcome.NO_KEYS);
    assertThat(keys.rotate(Samples.tenantId())).isEqualTo(Outcome.NO_TENANT);
  }

  @Test
  void shreddingIsRecordedAndHappensOnce() {
    assertThat(keys.shred(vault.tenantId())).isEqualTo(Outcome.DONE);
    assertThat(keys.shred(vault.tenantId())).isEqualTo(Outcome.NO_KEYS);
    assertThat(keys.shred(Samples.tenantId())).isEqualTo(Outcome.NO_TENANT);
    assertThat(tenantMessages(vault.tenantId())).startsWith("Tenant keys destroyed");
  }

  @Test
  void reencryptionUsesNewestOfThreeKeysAndDataStaysReadable() {
    TenantId tenant = vault.tenantId();
    vault.stores.proxies().create(Samples.proxy(tenant), Samples.entry(tenant));
    TokenId token = vault.token("/general/", "data");
    keys.rotateAll();
    keys.rotateAll();
    // The fields of the proxy cannot be decrypted: they stay, and do not block the token.
    assertThat(reencryption.run()).isEqualTo(new Progress(1, 2));
    assertThat(reencryption.run()).isEqualTo(new Progress(0, 2));
    TenantStatus status = keys.tenants().get(0);
    assertThat(status.fields()).isEqualTo(Map.of(1, 2L, 3, 1L));
    assertThat(status.isShredded()).isFalse();
    assertThat(vault.cipher.decryptions()).isZero();
    Caller reader = vault.caller("/", AccessTransform.REVEAL, Permission.TOKEN_READ);
    assertThat(VaultFixture.data(vault.tokens.read(reader, token))).isEqualTo("\"data\"");
  }

  @Tag("long")
  @Test
  void undecryptableFieldsDoNotBlockReencryptionOfOthers() {
    TenantId tenant = vault.tenantId();
    for (int i = 0; i < 41; i++) {
      vault.stores.tokens().create(hundredUndecryptableTokens(i), Samples::expiry);
    }
    TokenId last = vault.token(Draft.of("data").withId("z-token")).id();
    keys.rotateAll();

    assertThat(reencryption.run()).isEqualTo(new Progress(0, 4000));
    assertThat(reencryption.run()).isEqualTo(new Progress(1, 100));
    assertThat(reencryption.run()).isEqualTo(new Progress(0, 4000));
    assertThat(vault.stores.encryptedFields().stale(tenant, 2, Optional.empty(), 5000))
        .hasSize(4100)
        .noneMatch(each -> each.field().recordId().equals(last.value()));
  }

  private List<NewToken> hundredUndecryptableTokens(int hundred) {
    return IntStream.range(0, 100)
        .mapToObj(
            i ->
                Samples.token(
                    vault.tenantId(),
                    "a-token-" + hundred + "-" + i,
                    Samples.tokenSettings("/general/"),
                    Samples.content(Samples.encrypted("nothing"), Samples.fingerprint())))
        .toList();
  }

  @Test
  void rewrapMovesEveryKeyToPrimaryMasterKeyOnce() {
    keys.rotateAll();
    ManageTenantKeys rewrapping = manageKeys(new FakeKeyWrapper(2));
    assertThat(rewrapping.rewrapAll()).isEqualTo(6);
    assertThat(rewrapping.rewrapAll()).isZero();
    assertThat(keys.tenants().get(0).masterKeys()).containsExactly(2);
    assertThat(tenantMessages(vault.tenantId()))
        .containsOnlyOnce("Keys wrapped under another master key");
  }

  @Test
  void missingPurposesAreAddedToOldTenantsOnce() {
    TenantId old = Samples.tenantId();
    WrappedKey data = vault.wrapper.create(old, KeyPurpose.DATA, 1);
    vault
        .stores
        .tenants()
        .create(
            new NewTenant(
                old,
                new ResourceName("from before"),
                new TenantKeys(old, List.of(data)),
                Samples.application(old)),
            List.of(Samples.entry(old)));
    keys.ensureAllPurposes();
    TenantKeys complete = stored(old);
    keys.ensureAllPurposes();
    assertThat(complete.keys()).hasSize(KeyPurpose.values().length).contains(data);
    assertThat(stored(old)).isEqualTo(complete);
  }

  @Test
  void keyIsFoundByItsNewestHashAfterUse() {
    ApiKey key = vault.tenant.key();
    List<KeyHash> hashes = vault.hasher.hashes(key);
    vault.stores.credentials().renew(vault.tenantId(), hashes.get(0), hashes.get(1));
    assertThat(matched(hashes)).isEqualTo(hashes.get(1));
    ApplicationId caller = vault.manager().application().id();
    assertThat(caller).isEqualTo(vault.tenant.applicationId());
    assertThat(matched(hashes)).isEqualTo(hashes.get(0));
  }

  private KeyHash matched(List<KeyHash> hashes) {
    return vault
        .stores
        .lookup()
        .load(LookupRequest.caller(hashes), MemoryReservation.UNBOUNDED)
        .caller()
        .orElseThrow()
        .matched()
        .orElseThrow();
  }

  @Test
  void requestSucceedsIfKeyHashRenewalFails() {
    ApiKey key = vault.tenant.key();
    List<KeyHash> hashes = vault.hasher.hashes(key);
    vault.stores.credentials().renew(vault.tenantId(), hashes.get(0), hashes.get(1));
    Authenticator authenticator =
        new Authenticator(
            vault.lookup,
            vault.hasher,
            (tenant, from, to) -> {
              throw new IllegalStateException("on purpose");
            },
            vault.recorder);
    assertThat(
            authenticator
                .authenticate(Optional.of(VaultFixture.text(key)), Requirement.VALID_KEY)
                .tenantId())
        .isEqualTo(vault.tenantId());
  }

  @Test
  void firstKeysetBecomesReference() {
    assertThat(new KeysetGuard(new VaultFixture().stores.keysetRegistry()).isClaimed()).isTrue();
    guard.verify(keyset(1).and(2));
    guard.verify(keyset(1).and(2));
    guard.verify(keyset(1).and(2).and(5));
  }

  @Test
  void keysetLackingKeyInUseIsRejectedAndNotAnnounced() {
    guard.verify(keyset(1).and(2));
    assertThatThrownBy(() -> guard.admit(UUID.randomUUID(), keyset(3).and(2)))
        .isInstanceOf(WrongKeysetException.class)
        .hasMessageContaining("it lacks the hashing key 1 and the master key 1");
    assertThat(guard.nodes()).isEmpty();
  }

  @Test
  void keysetWithDifferentKeyUnderKnownIdIsRejected() {
    guard.verify(keyset(1).and(2));
    assertRejected(keyset(1).and(2).withContent("other"), "differs from the key");
  }

  @Test
  void storeWithoutProofsRejectsKeysetThatCannotUnwrapItsKeys() {
    assertRejected(keyset(7).and(2), "cannot unwrap the keys of tenant " + vault.tenantId());
    assertRejected(keyset(1), "it lacks the hashing key 2");
    guard.verify(keyset(1).and(2));
  }

  private void assertRejected(FakeMasterKeys keyset, String message) {
    assertThatThrownBy(() -> guard.verify(keyset))
        .isInstanceOf(WrongKeysetException.class)
        .hasMessageContaining(message);
  }

  @Test
  void keyIsNotPromotedWhileLiveNodeLacksIt() {
    UUID late = UUID.randomUUID();
    guard.admit(late, keyset(1).and(2));
    guard.admit(UUID.randomUUID(), keyset(1).and(2).and(3));
    FakeMasterKeys promoted = keyset(1).and(2).and(3).promoted(3);
    assertThatThrownBy(() -> guard.promote(promoted))
        .isInstanceOf(NodesLackKeyException.class)
        .hasMessageContaining(late.toString());
    guard.admit(late, keyset(1).and(2).and(3));
    guard.promote(promoted);
    assertThat(tenantMessages(vault.tenantId())).startsWith("Master key promoted");
    assertRejected(keyset(1).and(2), "master key 3");
  }

  @Test
  void unrecordablePromotionDoesNotHappen() {
    guard.verify(keyset(1).and(2));
    FakeMasterKeys promoted = keyset(1).and(2).and(3).promoted(3);
    vault.fixture.refuseEntries();
    assertThatThrownBy(() -> guard.promote(promoted)).isInstanceOf(RefusedException.class);
    guard.verify(keyset(1).and(2));
  }

  @Test
  void nodeUnseenForOneMinuteDoesNotBlockPromotion() {
    guard.admit(UUID.randomUUID(), keyset(1).and(2));
    vault.advanceClock(Duration.ofSeconds(61));
    guard.promote(keyset(1).and(2).and(3).promoted(3));
    assertThat(guard.nodes()).isEmpty();
  }

  @Test
  void stoppedNodeDoesNotBlockPromotion() {
    UUID node = UUID.randomUUID();
    guard.admit(node, keyset(1).and(2));
    guard.withdraw(node);
    guard.promote(keyset(1).and(2).and(3).promoted(3));
  }

  @Test
  void earlierMasterKeyMayBeRemovedOnceUnused() {
    guard.verify(keyset(1).and(2));
    guard.promote(keyset(1).and(2).and(3).promoted(3));
    FakeMasterKeys without = keyset(3).and(2).promoted(3);
    assertRejected(without, "master key 1");
    manageKeys(new FakeKeyWrapper(3)).rewrapAll();
    assertThat(without.primary(Use.WRAPPING)).isEqualTo(new MasterKeyId(Use.WRAPPING, 3));
    guard.verify(without);
  }

  /** Returns a keyset of one wrapping key and one hashing key, which have identical ids. */
  private static FakeMasterKeys keyset(int id) {
    return FakeMasterKeys.of(id);
  }
}
