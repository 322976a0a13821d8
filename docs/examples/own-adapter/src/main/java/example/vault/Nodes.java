package example.vault;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.KeyProof;
import io.tokenvault.ports.crypto.KeysetNode;
import io.tokenvault.ports.crypto.KeysetRegistry;
import io.tokenvault.ports.crypto.MasterKeyId;
import io.tokenvault.ports.crypto.TenantKeys;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/** The state of the master keyset that all processes on one file share. */
final class Nodes implements KeysetRegistry, KeysetRegistry.Ledger {

  private static final Duration ALIVE = Duration.ofMinutes(1);

  /** Under which everything is kept that belongs to no tenant. */
  private static final TenantId NOBODY = new TenantId(new UUID(0, 0));

  private final Contents contents;
  private final Database database;
  private final Documents<KeyProof> proofs;
  private final Documents<KeysetNode> nodes;

  Nodes(Contents contents) {
    this.contents = contents;
    this.database = contents.database;
    this.proofs = new Documents<>(database, "proof", KeyProof.class, each -> Optional.empty());
    this.nodes = new Documents<>(database, "node", KeysetNode.class, each -> Optional.empty());
  }

  @Override
  public <T> T exclusively(Function<Ledger, T> work) {
    return database.change(() -> work.apply(this));
  }

  @Override
  public List<KeyProof> proofs() {
    return proofs.all();
  }

  /** Appends an element. */
  @Override
  public void add(KeyProof proof) {
    proofs.put(NOBODY, proof.key().use() + " " + proof.key().id(), proof);
  }

  @Override
  public List<TenantKeys> tenantKeys() {
    return new Keys(contents).list();
  }

  @Override
  public Set<Integer> hashVersions() {
    return contents.credentials.versions();
  }

  @Override
  public List<KeysetNode> liveNodes() {
    return database.read(
        () ->
            nodes.all().stream()
                .filter(node -> node.lastSeen().isAfter(database.now().minus(ALIVE)))
                .sorted(Comparator.comparing(node -> node.id().toString()))
                .toList());
  }

  @Override
  public void announce(UUID node, Set<MasterKeyId> keys) {
    nodes.put(NOBODY, node.toString(), new KeysetNode(node, keys, database.now()));
  }

  @Override
  public void record(AuditEntry entry) {
    contents.entries.add(entry);
  }

  @Override
  public void withdraw(UUID node) {
    database.change(() -> nodes.remove(NOBODY, node.toString()));
  }
}
