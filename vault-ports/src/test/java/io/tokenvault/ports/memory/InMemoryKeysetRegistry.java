package io.tokenvault.ports.memory;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.crypto.KeyProof;
import io.tokenvault.ports.crypto.KeysetNode;
import io.tokenvault.ports.crypto.KeysetRegistry;
import io.tokenvault.ports.crypto.MasterKeyId;
import io.tokenvault.ports.crypto.TenantKeys;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

final class InMemoryKeysetRegistry implements KeysetRegistry, KeysetRegistry.Ledger {

  private static final Duration ALIVE = Duration.ofMinutes(1);

  private final Memory memory;
  private List<KeyProof> proofs = new ArrayList<>();
  private Map<UUID, KeysetNode> nodes = new HashMap<>();
  private final List<AuditEntry> entries = new ArrayList<>();

  InMemoryKeysetRegistry(Memory memory) {
    this.memory = memory;
  }

  @Override
  public <T> T exclusively(Function<Ledger, T> work) {
    return memory.change(
        () -> {
          List<KeyProof> proofsBefore = List.copyOf(proofs);
          Map<UUID, KeysetNode> nodesBefore = Map.copyOf(nodes);
          entries.clear();
          try {
            T result = work.apply(this);
            memory.add(entries);
            return result;
          } catch (RuntimeException failed) {
            proofs = new ArrayList<>(proofsBefore);
            nodes = new HashMap<>(nodesBefore);
            throw failed;
          }
        });
  }

  @Override
  public List<KeyProof> proofs() {
    return List.copyOf(proofs);
  }

  @Override
  public void add(KeyProof proof) {
    proofs.removeIf(each -> each.key().equals(proof.key()));
    proofs.add(proof);
  }

  @Override
  public List<TenantKeys> tenantKeys() {
    return new InMemoryKeys(memory).list();
  }

  @Override
  public Set<Integer> hashVersions() {
    return Stream.concat(memory.apiKeys.keySet().stream(), memory.proxyKeys.keySet().stream())
        .map(KeyHash::version)
        .collect(Collectors.toSet());
  }

  @Override
  public List<KeysetNode> liveNodes() {
    return memory.read(
        () ->
            nodes.values().stream()
                .filter(node -> node.lastSeen().isAfter(memory.now().minus(ALIVE)))
                .sorted(Comparator.comparing(KeysetNode::id, Memory.byText()))
                .toList());
  }

  @Override
  public void announce(UUID node, Set<MasterKeyId> keys) {
    nodes.put(node, new KeysetNode(node, keys, memory.now()));
  }

  @Override
  public void record(AuditEntry entry) {
    memory.requireEntries();
    entries.add(entry);
  }

  @Override
  public void withdraw(UUID node) {
    memory.change(() -> nodes.remove(node));
  }
}
