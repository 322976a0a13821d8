package io.tokenvault.ports.contract.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.ports.contract.Race;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.contract.StoreContract;
import io.tokenvault.ports.crypto.KeyProof;
import io.tokenvault.ports.crypto.KeysetRegistry;
import io.tokenvault.ports.crypto.KeysetRegistry.KeysetNode;
import io.tokenvault.ports.crypto.KeysetRegistry.Ledger;
import io.tokenvault.ports.crypto.MasterKeyId;
import io.tokenvault.ports.crypto.MasterKeyId.Use;
import io.tokenvault.ports.crypto.TenantKeys;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Contract tests for {@link KeysetRegistry}. */
public abstract class KeysetRegistryContract extends StoreContract {

  private static final MasterKeyId FIRST = new MasterKeyId(Use.WRAPPING, 1);
  private static final MasterKeyId SECOND = new MasterKeyId(Use.WRAPPING, -2);
  private static final MasterKeyId HASHING = new MasterKeyId(Use.KEY_HASH, 1);

  private KeysetRegistry registry;

  @BeforeEach
  void openRegistry() {
    registry = stores.keysetRegistry();
  }

  private static KeyProof proof(MasterKeyId key, int content) {
    return new KeyProof(key, new byte[] {(byte) content});
  }

  private void exclusively(Consumer<Ledger> work) {
    registry.exclusively(
        ledger -> {
          work.accept(ledger);
          return ledger;
        });
  }

  private List<KeyProof> proofs() {
    return registry.exclusively(Ledger::proofs);
  }

  @Test
  void proofsAreStoredInOrder() {
    exclusively(
        ledger -> Stream.of(FIRST, HASHING, SECOND).forEach(key -> ledger.add(proof(key, 7))));
    assertThat(proofs()).containsExactly(proof(FIRST, 7), proof(HASHING, 7), proof(SECOND, 7));
  }

  @Test
  void proofAddedAgainReplacesEarlierProofAndBecomesLast() {
    exclusively(ledger -> ledger.add(proof(FIRST, 1)));
    exclusively(ledger -> ledger.add(proof(SECOND, 2)));
    exclusively(ledger -> ledger.add(proof(FIRST, 3)));
    assertThat(proofs()).containsExactly(proof(SECOND, 2), proof(FIRST, 3));
  }

  @Test
  void failedWorkStoresNothing() {
    IllegalArgumentException failure = new IllegalArgumentException("on purpose");
    assertThatThrownBy(
            () ->
                exclusively(
                    ledger -> {
                      ledger.add(proof(FIRST, 1));
                      ledger.announce(UUID.randomUUID(), Set.of(FIRST));
                      ledger.record(Samples.entry(tenant, MARKER));
                      throw failure;
                    }))
        .isSameAs(failure);
    assertThat(proofs()).isEmpty();
    assertThat(registry.liveNodes()).isEmpty();
    assertThat(messages(tenant)).doesNotContain(MARKER);
  }

  @Test
  void entriesAreRecordedInLogOfTheirTenant() {
    exclusively(
        ledger -> {
          ledger.record(Samples.entry(tenant, "for one tenant"));
          ledger.record(Samples.entry(otherTenant, "for another tenant"));
        });
    assertThat(messages(tenant)).startsWith("for one tenant").doesNotContain("for another tenant");
    assertThat(messages(otherTenant)).startsWith("for another tenant");
  }

  @Test
  void failedAuditEntryRollsBackWork() {
    fixture.refuseEntries();
    assertUnavailable(
        () ->
            exclusively(
                ledger -> {
                  ledger.add(proof(FIRST, 1));
                  ledger.record(Samples.entry(tenant));
                }));
    assertThat(proofs()).isEmpty();
  }

  @Test
  void exclusiveWorkRunsOneAtATime() {
    List<Integer> seen =
        Race.run(
            i ->
                registry.exclusively(
                    ledger -> {
                      int known = ledger.proofs().size();
                      ledger.add(proof(new MasterKeyId(Use.WRAPPING, i), i));
                      return known;
                    }));
    assertThat(seen).doesNotHaveDuplicates().hasSize(Race.RUNNERS);
  }

  @Test
  void announcedNodeIsLiveWithItsCurrentKeys() {
    UUID node = UUID.randomUUID();
    exclusively(ledger -> ledger.announce(node, Set.of(FIRST)));
    exclusively(ledger -> ledger.announce(node, Set.of(FIRST, SECOND, HASHING)));
    assertThat(registry.liveNodes()).isEqualTo(registry.exclusively(Ledger::liveNodes));
    KeysetNode live = registry.liveNodes().get(0);
    assertThat(registry.liveNodes()).hasSize(1);
    assertThat(live.id()).isEqualTo(node);
    assertThat(live.keys()).containsExactlyInAnyOrder(FIRST, SECOND, HASHING);
    assertThat(live.lastSeen()).isBeforeOrEqualTo(now());
  }

  @Test
  void withdrawnNodeIsNotLive() {
    UUID node = UUID.randomUUID();
    exclusively(ledger -> ledger.announce(node, Set.of(FIRST)));
    registry.withdraw(node);
    registry.withdraw(node);
    assertThat(registry.liveNodes()).isEmpty();
  }

  @Test
  void ledgerReturnsAllTenantKeysAndKeyHashVersions() {
    List<TenantKeys> keys = registry.exclusively(Ledger::tenantKeys);
    assertThat(keys).isEqualTo(stores.keys().list()).hasSize(2);
    assertThat(registry.exclusively(Ledger::hashVersions)).containsExactly(1);
  }

  @Test
  void brokenConnectionReportsUnavailable() {
    fixture.breakConnection();
    KeysetRegistry broken = stores.keysetRegistry();
    assertUnavailable(broken::liveNodes);
    assertUnavailable(() -> broken.withdraw(UUID.randomUUID()));
    assertUnavailable(() -> broken.exclusively(Ledger::proofs));
  }
}
