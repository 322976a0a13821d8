package io.tokenvault.ports.audit;

import io.tokenvault.domain.audit.integrity.ChainEnd;
import io.tokenvault.domain.audit.integrity.ChainLink;
import io.tokenvault.domain.audit.integrity.StoredEntry;
import io.tokenvault.domain.tenant.TenantId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Stores the hash chains of the audit log. The package documentation states the laws for every
 * method.
 *
 * <p>Every entry is chained once, whenever its transaction commits; a rolled-back entry leaves no
 * trace. Chaining locks nothing that a request needs.
 */
public interface HashChainStore {

  /**
   * Chains committed entries that are in no chain yet: reads some, has links created for them and
   * adds these, all of it or nothing. Entries of older versions are first. Entries that cannot be
   * chained, because they were not written by the vault, are skipped and stay outside the chain.
   *
   * @param limit the maximum number of entries
   * @param linker creates the links
   * @return the number of chained or skipped entries, fewer than the limit if there are no more for
   *     now; empty if another node is chaining
   */
  OptionalInt extend(int limit, Linker linker);

  /** Returns the last link of every tenant's chain, including deleted tenants. */
  Ends ends();

  /** Returns every tenant that has a chain or an entry, including deleted tenants. */
  Set<TenantId> tenants();

  /** Creates chain links. */
  interface Linker {
    /**
     * Creates links that contain all entries, each once.
     *
     * @param entries at least one, of any tenants
     * @param ends the ends of the chains of these tenants
     */
    List<ChainLink> link(List<StoredEntry> entries, Map<TenantId, ChainEnd> ends);
  }

  /**
   * The ends of all chains at one time.
   *
   * @param time by the store's clock
   */
  record Ends(Instant time, List<ChainEnd> chains) {
    public Ends {
      chains = List.copyOf(chains);
    }
  }
}
