package io.tokenvault.ports.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.KeyPurpose;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.crypto.WrappedKey;
import io.tokenvault.ports.store.KeyStore;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Contract tests for {@link KeyStore}. */
public abstract class KeyStoreContract extends StoreContract {

  private KeyStore keys() {
    return stores.keys();
  }

  private TenantKeys find(TenantId tenantId) {
    return keys().find(tenantId).orElseThrow();
  }

  private static WrappedKey rewrapped(WrappedKey key) {
    return new WrappedKey(key.purpose(), key.version(), new byte[] {7, 7, 7});
  }

  private TenantKeys keysWith(WrappedKey... added) {
    List<WrappedKey> all = new ArrayList<>(Samples.keys(tenant).keys());
    all.addAll(List.of(added));
    return new TenantKeys(tenant, all);
  }

  @Test
  void tenantHasKeysItWasCreatedWith() {
    assertThat(find(tenant)).isEqualTo(Samples.keys(tenant));
    assertThat(keys().find(Samples.tenantId())).isEmpty();
  }

  @Test
  void deletionRemovesTenantKeys() {
    deleteTenant(tenant);

    assertThat(keys().find(tenant)).isEmpty();
    assertThat(keys().list()).extracting(TenantKeys::tenantId).containsExactly(otherTenant);
  }

  @Test
  void listReturnsKeysOfAllTenantsOrderedById() {
    newTenant();
    destroyKeys(otherTenant);

    List<TenantKeys> all = keys().list();

    assertThat(all).hasSize(3).contains(find(tenant), new TenantKeys(otherTenant, List.of()));
    assertThat(all.stream().map(each -> each.tenantId().toString()).toList()).isSorted();
  }

  @Test
  void addedKeysAreReturnedWithExistingKeys() {
    WrappedKey data = Samples.key(KeyPurpose.DATA, 2);
    WrappedKey index = Samples.key(KeyPurpose.SEARCH_INDEX, 7);

    assertThat(addKeys(data, index)).isTrue();

    assertThat(find(tenant)).isEqualTo(keysWith(data, index));
    assertThat(find(tenant).current(KeyPurpose.DATA)).isEqualTo(data);
    assertThat(find(otherTenant)).isEqualTo(Samples.keys(otherTenant));
    assertThat(messages(tenant)).containsExactly("added", "tenant created");
  }

  @Test
  void largestKeyRoundTrips() {
    WrappedKey largest =
        new WrappedKey(KeyPurpose.FINGERPRINT, Integer.MAX_VALUE, new byte[10_000]);

    assertThat(addKeys(largest)).isTrue();

    assertThat(find(tenant).current(KeyPurpose.FINGERPRINT)).isEqualTo(largest);
  }

  @Test
  void existingVersionPreventsAddingAnyKey() {
    WrappedKey existing = rewrapped(Samples.key(KeyPurpose.FINGERPRINT, 1));

    assertThat(addKeys(Samples.key(KeyPurpose.DATA, 2), existing)).isFalse();

    assertThat(find(tenant)).isEqualTo(Samples.keys(tenant));
    assertThat(messages(tenant)).doesNotContain("added");
  }

  @Test
  void oneConcurrentAdditionOfVersionSucceeds() {
    assertThat(Race.run(i -> addKeys(Samples.key(KeyPurpose.DATA, 2))))
        .filteredOn(added -> added)
        .hasSize(1);

    assertThat(messages(tenant)).containsOnlyOnce("added");
  }

  @Test
  void deletedTenantReceivesNoKeys() {
    deleteTenant(tenant);

    assertThat(addKeys(Samples.key(KeyPurpose.DATA, 2))).isFalse();

    assertThat(keys().find(tenant)).isEmpty();
    assertThat(messages(tenant)).doesNotContain("added");
  }

  @Test
  void keyIsReplacedByItsRewrappedForm() {
    WrappedKey original = Samples.key(KeyPurpose.DATA, 1);

    assertThat(keys().replace(tenant, original, rewrapped(original))).isTrue();

    assertThat(find(tenant).versions(KeyPurpose.DATA)).containsExactly(rewrapped(original));
    assertThat(find(tenant).keys()).hasSize(KeyPurpose.values().length);
    assertThat(find(otherTenant)).isEqualTo(Samples.keys(otherTenant));
  }

  @Test
  void missingKeyIsNotReplaced() {
    WrappedKey existing = Samples.key(KeyPurpose.DATA, 1);
    WrappedKey unknown = Samples.key(KeyPurpose.DATA, 2);

    assertThat(keys().replace(tenant, unknown, rewrapped(unknown))).isFalse();
    assertThat(keys().replace(tenant, rewrapped(existing), existing)).isFalse();
    assertThat(keys().replace(Samples.tenantId(), existing, rewrapped(existing))).isFalse();

    assertThat(find(tenant)).isEqualTo(Samples.keys(tenant));
  }

  @Test
  void oneConcurrentReplacementOfKeySucceeds() {
    WrappedKey original = Samples.key(KeyPurpose.DATA, 1);

    List<Boolean> results =
        Race.run(
            i ->
                keys()
                    .replace(
                        tenant,
                        original,
                        new WrappedKey(KeyPurpose.DATA, 1, new byte[] {9, (byte) i})));

    assertThat(results).filteredOn(replaced -> replaced).hasSize(1);
  }

  @Test
  void destroyedKeysCannotBeRestored() {
    assertThat(destroyKeys(tenant)).isTrue();

    assertThat(find(tenant).areDestroyed()).isTrue();
    assertThat(addKeys(Samples.key(KeyPurpose.DATA, 2))).isFalse();
    WrappedKey original = Samples.key(KeyPurpose.DATA, 1);
    assertThat(keys().replace(tenant, original, rewrapped(original))).isFalse();
    assertThat(destroyKeys(tenant)).isFalse();
    assertThat(find(tenant).areDestroyed()).isTrue();
    assertThat(messages(tenant)).containsExactly("destroyed", "tenant created");
    assertThat(find(otherTenant)).isEqualTo(Samples.keys(otherTenant));
  }

  @Test
  void missingTenantHasNoKeysToDestroy() {
    TenantId missing = Samples.tenantId();

    assertThat(destroyKeys(missing)).isFalse();

    assertThat(messages(missing)).isEmpty();
  }

  @Test
  void keysAddedDuringDestructionDoNotRemain() {
    Race.run(
        i ->
            i == Race.RUNNERS / 2
                ? destroyKeys(tenant)
                : addKeys(Samples.key(KeyPurpose.DATA, 2 + i)));

    assertThat(find(tenant).areDestroyed()).isTrue();
  }

  @Test
  void failedAuditEntryRollsBackChange() {
    fixture.refuseEntries();

    assertUnavailable(() -> addKeys(Samples.key(KeyPurpose.DATA, 2)));
    assertUnavailable(() -> destroyKeys(tenant));

    assertThat(find(tenant)).isEqualTo(Samples.keys(tenant));
  }

  @Test
  void brokenConnectionReportsUnavailableWithoutArguments() {
    WrappedKey marked = new WrappedKey(KeyPurpose.DATA, 2, MARKER.getBytes(StandardCharsets.UTF_8));
    fixture.breakConnection();

    assertUnavailable(() -> keys().find(tenant));
    assertUnavailable(() -> keys().list());
    assertUnavailable(() -> addKeys(marked));
    assertUnavailable(() -> keys().replace(tenant, marked, marked));
    assertUnavailable(() -> destroyKeys(tenant));
  }
}
