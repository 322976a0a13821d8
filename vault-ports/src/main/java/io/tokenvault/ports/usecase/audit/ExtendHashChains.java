package io.tokenvault.ports.usecase.audit;

import io.tokenvault.domain.audit.integrity.ChainEnd;
import io.tokenvault.domain.audit.integrity.ChainLink;
import io.tokenvault.domain.audit.integrity.ChainLinkDigest;
import io.tokenvault.domain.audit.integrity.LogEncoding;
import io.tokenvault.domain.audit.integrity.LogHash;
import io.tokenvault.domain.audit.integrity.PartitionDrop;
import io.tokenvault.domain.audit.integrity.StoredEntry;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.HashChainStore;
import io.tokenvault.ports.crypto.LogKeys;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Extends the hash chains by newly recorded entries. Run it about every second, on any number of
 * nodes: one at a time does the work.
 */
public final class ExtendHashChains {

  private static final int BATCH = 10_000;

  private final HashChainStore store;
  private final LogKeys keys;

  public ExtendHashChains(HashChainStore store, LogKeys keys) {
    this.store = store;
    this.keys = keys;
  }

  /**
   * Chains all entries that are in no chain yet.
   *
   * @return the number of processed entries; 0 if another node is chaining
   */
  public int run() {
    int total = 0;
    int round;
    do {
      round = runOnce();
      total += round;
    } while (round == BATCH);
    return total;
  }

  /**
   * Chains one batch of entries, which takes a few seconds at most.
   *
   * @return the number of processed entries; 0 if another node is chaining
   */
  public int runOnce() {
    return store.extend(BATCH, (entries, ends) -> chainLinks(keys, entries, ends)).orElse(0);
  }

  /**
   * Creates the chain links that {@link HashChainStore.Linker} requires: one for each tenant and
   * month of the entries.
   *
   * @param known the ends of the tenants' chains
   */
  public static List<ChainLink> chainLinks(
      LogKeys keys, List<StoredEntry> entries, Map<TenantId, ChainEnd> known) {
    Map<TenantId, ChainEnd> ends = new HashMap<>(known);
    List<ChainLink> chainLinks = new ArrayList<>();
    for (List<StoredEntry> part : parts(entries)) {
      TenantId tenant = part.get(0).tenantId();
      ChainLink chainLink = link(keys, part, ends.getOrDefault(tenant, ChainEnd.none(tenant)));
      chainLinks.add(chainLink);
      ends.put(tenant, new ChainEnd(tenant, chainLink.number(), chainLink.head()));
    }
    return chainLinks;
  }

  /** Groups entries by tenant and month, so that a dropped month never splits a link. */
  private static Collection<List<StoredEntry>> parts(List<StoredEntry> entries) {
    Map<Part, List<StoredEntry>> parts = new LinkedHashMap<>();
    for (StoredEntry entry : entries) {
      parts
          .computeIfAbsent(
              new Part(entry.tenantId(), PartitionDrop.monthOf(entry.place())),
              unused -> new ArrayList<>())
          .add(entry);
    }
    return parts.values();
  }

  private static ChainLink link(LogKeys keys, List<StoredEntry> entries, ChainEnd previous) {
    ChainLinkDigest digest = new ChainLinkDigest(previous, entries.size());
    entries.forEach(digest::add);
    LogHash head = digest.head();
    long number = previous.number() + 1;
    var places = entries.stream().map(StoredEntry::place).toList();
    byte[] content = LogEncoding.chainLink(previous.tenantId(), number, places, head);
    return new ChainLink(
        previous.tenantId(),
        number,
        places,
        head,
        keys.authenticate(LogKeys.Use.CHAIN_LINK, content));
  }

  /** The entries that one link can contain. */
  private record Part(TenantId tenant, YearMonth month) {}
}
