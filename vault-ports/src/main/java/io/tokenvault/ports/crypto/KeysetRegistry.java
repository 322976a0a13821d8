package io.tokenvault.ports.crypto;

import io.tokenvault.domain.audit.AuditEntry;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/**
 * What all nodes have to agree on about the master keyset: which of its keys are known, and who
 * holds which. The package names the laws for every method.
 */
public interface KeysetRegistry {

  /** Does something while no other process does such a thing; all of it is committed, or none. */
  <T> T exclusively(Function<Ledger, T> work);

  /** The nodes that are alive: those seen within the last minute, by id. */
  List<KeysetNode> liveNodes();

  /** A node has stopped; does nothing about one that is not known. */
  void withdraw(UUID node);

  /** Good within the call that it was given to only. */
  interface Ledger {

    /** Of the keys that may be in use; of each use, the one that was proven last comes last. */
    List<KeyProof> proofs();

    /** Adds a proof, or makes one that is there the last. */
    void add(KeyProof proof);

    /** The wrapped keys of all tenants. */
    List<TenantKeys> tenantKeys();

    /** The versions of all stored key hashes. */
    Set<Integer> hashVersions();

    List<KeysetNode> liveNodes();

    /** A node is alive and holds these keys. */
    void announce(UUID node, Set<MasterKeyId> keys);

    /** Adds an entry to the log, committed with all that is done in this call. */
    void record(AuditEntry entry);
  }
}
