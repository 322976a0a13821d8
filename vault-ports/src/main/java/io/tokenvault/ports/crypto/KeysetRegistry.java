package io.tokenvault.ports.crypto;

import io.tokenvault.domain.audit.AuditEntry;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/**
 * Coordinates the master keyset between nodes: records which keys are known and which node holds
 * which. The package documentation of {@code ports.store} states the laws for every method.
 */
public interface KeysetRegistry {

  /**
   * Runs work under a lock that excludes all other processes; all of its changes commit, or none.
   */
  <T> T exclusively(Function<Ledger, T> work);

  /** Returns the live nodes by id: those seen within the last minute. */
  List<KeysetNode> liveNodes();

  /** Removes a node that has stopped; does nothing for an unknown one. */
  void withdraw(UUID node);

  /** The registry as exclusive work sees it; valid only during the call that received it. */
  interface Ledger {

    /**
     * Returns proofs of the keys that may be in use, ordered so that the latest proof for each use
     * is last.
     */
    List<KeyProof> proofs();

    /** Adds a proof, or moves an existing one to the end. */
    void add(KeyProof proof);

    /** Returns the wrapped keys of all tenants. */
    List<TenantKeys> tenantKeys();

    /** Returns the versions of all stored key hashes. */
    Set<Integer> hashVersions();

    /** Returns the live nodes, as {@link KeysetRegistry#liveNodes} does. */
    List<KeysetNode> liveNodes();

    /** Records that a node is alive and holds these keys. */
    void announce(UUID node, Set<MasterKeyId> keys);

    /** Adds an entry to the audit log, committed together with all other changes of this call. */
    void record(AuditEntry entry);
  }

  /**
   * A process that serves requests, and the master keys that it holds.
   *
   * @param id the id of the process
   * @param keys the ids of its master keys
   * @param lastSeen by the store's clock
   */
  record KeysetNode(UUID id, Set<MasterKeyId> keys, Instant lastSeen) {
    public KeysetNode {
      Objects.requireNonNull(id, "id");
      keys = Set.copyOf(keys);
      Objects.requireNonNull(lastSeen, "lastSeen");
    }
  }
}
