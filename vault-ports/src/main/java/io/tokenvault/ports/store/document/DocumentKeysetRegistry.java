package io.tokenvault.ports.store.document;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.ports.crypto.KeyProof;
import io.tokenvault.ports.crypto.KeysetRegistry;
import io.tokenvault.ports.crypto.KeysetRegistry.KeysetNode;
import io.tokenvault.ports.crypto.MasterKeyId;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.store.document.Kind.ProofRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

record DocumentKeysetRegistry(Transactions transactions) implements KeysetRegistry {

  private static final Duration ALIVE = Duration.ofMinutes(1);
  private static final Duration RETENTION = Duration.ofDays(1);

  @Override
  public <T> T exclusively(Function<Ledger, T> work) {
    return transactions.write(records -> work.apply(new DocumentLedger(records)));
  }

  @Override
  public List<KeysetNode> liveNodes() {
    return transactions.read(DocumentKeysetRegistry::liveNodes);
  }

  private static List<KeysetNode> liveNodes(Records records) {
    return records.all(Kind.NODE).stream()
        .filter(node -> node.lastSeen().isAfter(records.now().minus(ALIVE)))
        .sorted(Comparator.comparing(node -> node.id().toString()))
        .toList();
  }

  @Override
  public void withdraw(UUID node) {
    transactions.write(records -> records.delete(Kind.NODE, Kind.NO_TENANT, node.toString()));
  }

  private record DocumentLedger(RecordChanges records) implements Ledger {

    @Override
    public List<KeyProof> proofs() {
      return numbered().stream().map(each -> new KeyProof(each.key(), each.proof())).toList();
    }

    private List<ProofRecord> numbered() {
      return records.all(Kind.PROOF).stream()
          .sorted(Comparator.comparingLong(ProofRecord::number))
          .toList();
    }

    @Override
    public void add(KeyProof proof) {
      long number = 1 + numbered().stream().mapToLong(ProofRecord::number).max().orElse(0);
      records.put(
          Kind.PROOF,
          Kind.NO_TENANT,
          proof.key().use() + " " + proof.key().id(),
          new ProofRecord(proof.key(), proof.proof(), number));
    }

    @Override
    public List<TenantKeys> tenantKeys() {
      return DocumentKeys.list(records);
    }

    @Override
    public Set<Integer> hashVersions() {
      return records.all(Kind.CREDENTIAL).stream()
          .map(each -> each.hash().version())
          .collect(Collectors.toSet());
    }

    @Override
    public List<KeysetNode> liveNodes() {
      return DocumentKeysetRegistry.liveNodes(records);
    }

    @Override
    public void announce(UUID node, Set<MasterKeyId> keys) {
      // Nodes that ended without withdrawing leave their documents behind.
      Instant oldest = records.now().minus(RETENTION);
      records.all(Kind.NODE).stream()
          .filter(each -> each.lastSeen().isBefore(oldest))
          .forEach(each -> records.delete(Kind.NODE, Kind.NO_TENANT, each.id().toString()));
      records.put(
          Kind.NODE, Kind.NO_TENANT, node.toString(), new KeysetNode(node, keys, records.now()));
    }

    @Override
    public void record(AuditEntry entry) {
      records.append(entry);
    }
  }
}
