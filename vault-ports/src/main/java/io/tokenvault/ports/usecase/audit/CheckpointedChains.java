package io.tokenvault.ports.usecase.audit;

import io.tokenvault.domain.audit.integrity.ChainEnd;
import io.tokenvault.domain.audit.integrity.LogHash;
import io.tokenvault.domain.tenant.TenantId;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What checkpoints say of the chains. Of each chain the last end is kept, and of all chains
 * together as many earlier ones as fit; an end stands for all before it.
 */
public final class CheckpointedChains {

  private static final int MAX_KEPT = 1_000_000;

  private final Map<TenantId, NavigableMap<Long, Known>> ends = new HashMap<>();
  private final int maxKept;
  private int kept;

  public CheckpointedChains() {
    this(MAX_KEPT);
  }

  CheckpointedChains(int maxKept) {
    this.maxKept = maxKept;
  }

  /**
   * Takes what a checkpoint says, of which the signature was confirmed.
   *
   * @return false if it contradicts one that came before
   */
  public boolean add(ChainEnd end, Instant time) {
    NavigableMap<Long, Known> chain =
        ends.computeIfAbsent(end.tenantId(), unused -> new TreeMap<>());
    Known before = chain.putIfAbsent(end.number(), new Known(end.head(), time));
    if (before != null) {
      return before.head().equals(end.head());
    }
    kept++;
    while (kept > maxKept && chain.size() > 1) {
      chain.pollFirstEntry();
      kept--;
    }
    return true;
  }

  Set<TenantId> tenants() {
    return Set.copyOf(ends.keySet());
  }

  Optional<Known> at(TenantId tenantId, long number) {
    return Optional.ofNullable(ends.get(tenantId)).map(chain -> chain.get(number));
  }

  /** The end of the chain, by the checkpoints, if it is after a number. */
  Optional<Known> lastAfter(TenantId tenantId, long number) {
    return Optional.ofNullable(ends.get(tenantId))
        .map(NavigableMap::lastEntry)
        .filter(last -> last.getKey() > number)
        .map(Map.Entry::getValue);
  }

  /** A head, and the time of the checkpoint that said so first. */
  record Known(LogHash head, Instant time) {}
}
