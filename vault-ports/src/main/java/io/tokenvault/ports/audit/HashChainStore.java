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
 * The chains of the log. The package names the laws for every method.
 *
 * <p>Every entry is sealed once, whenever its transaction commits; one that is rolled back leaves
 * nothing. Sealing locks nothing that a request needs.
 */
public interface HashChainStore {

  /**
   * Seals committed entries that have no seal yet: reads some, has seals made of them and adds
   * these, all of it or nothing. Those that older versions wrote come first. What cannot be sealed,
   * since somebody put it there that is not the vault, is passed over, and stays without a seal.
   *
   * @param limit how many entries at the most
   * @return how many entries were sealed or passed over, fewer than the limit if there are no more
   *     for now; empty if another node is sealing
   */
  OptionalInt seal(int limit, Sealing sealing);

  /** The last seal of every tenant that has one, deleted tenants too. */
  Ends ends();

  /** Every tenant that has a seal or an entry, sealed or not; deleted tenants too. */
  Set<TenantId> tenants();

  /** Makes seals that name all the entries, each once. */
  interface Sealing {
    /**
     * @param entries at least one, of any tenants
     * @param ends of the tenants of these entries
     */
    List<ChainLink> seal(List<StoredEntry> entries, Map<TenantId, ChainEnd> ends);
  }

  /**
   * The ends of all chains at a time.
   *
   * @param time by the store's clock
   */
  record Ends(Instant time, List<ChainEnd> chains) {
    public Ends {
      chains = List.copyOf(chains);
    }
  }
}
