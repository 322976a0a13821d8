package io.tokenvault.adapters.jdbi.shards;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.ports.spi.KeyProof;
import io.tokenvault.ports.spi.KeysetNode;
import io.tokenvault.ports.spi.KeysetRegistry.Ledger;
import io.tokenvault.ports.spi.MasterKeyId;
import io.tokenvault.ports.spi.TenantKeys;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The ledger of the first database, with what others know of tenants. The others are asked only
 * where that is needed, so that nodes go on telling that they live while one of them is away.
 * Proofs go to all, since each database has to know whose keyset it is used with.
 */
final class SpreadLedger implements Ledger {

  private final Ledger home;
  private final Shards shards;
  private final Map<Shard, List<Consumer<Ledger>>> forOthers = new HashMap<>();

  SpreadLedger(Ledger home, Shards shards) {
    this.home = home;
    this.shards = shards;
  }

  @Override
  public List<KeyProof> proofs() {
    return home.proofs();
  }

  @Override
  public void add(KeyProof proof) {
    home.add(proof);
    shards.others().forEach(each -> later(each, ledger -> ledger.add(proof)));
  }

  @Override
  public List<TenantKeys> tenantKeys() {
    List<TenantKeys> all = new ArrayList<>();
    home.tenantKeys().forEach(keys -> all.add(known(keys, shards.home())));
    for (Shard each : shards.others()) {
      each.ask(ports -> ports.stores().keys().list()).forEach(keys -> all.add(known(keys, each)));
    }
    all.sort(RoutedKeys.BY_TENANT);
    return all;
  }

  private TenantKeys known(TenantKeys keys, Shard shard) {
    shards.remember(keys.tenantId(), shard);
    return keys;
  }

  @Override
  public Set<Integer> hashVersions() {
    Set<Integer> all = new HashSet<>(home.hashVersions());
    shards.others().forEach(each -> all.addAll(exclusively(each, Ledger::hashVersions)));
    return all;
  }

  @Override
  public List<KeysetNode> liveNodes() {
    return home.liveNodes();
  }

  @Override
  public void announce(UUID node, Set<MasterKeyId> keys) {
    home.announce(node, keys);
  }

  @Override
  public void record(AuditEntry entry) {
    Shard shard = shards.of(entry.tenantId());
    if (shard == shards.home()) {
      home.record(entry);
    } else {
      later(shard, ledger -> ledger.record(entry));
    }
  }

  private void later(Shard shard, Consumer<Ledger> work) {
    forOthers.computeIfAbsent(shard, unused -> new ArrayList<>()).add(work);
  }

  void commitOthers() {
    forOthers.forEach(
        (shard, works) ->
            exclusively(
                shard,
                ledger -> {
                  works.forEach(work -> work.accept(ledger));
                  return works;
                }));
  }

  private static <T> T exclusively(Shard shard, Function<Ledger, T> work) {
    return shard.ask(ports -> ports.stores().keysetRegistry().exclusively(work));
  }
}
