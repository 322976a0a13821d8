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
 * The chain ends that signed checkpoints attest.
 *
 * <p>The latest end of each chain is retained, and as many earlier ones of all chains together as
 * fit. A retained end attests all links before it. Not thread-safe.
 */
public final class CheckpointedChains {

  private static final int MAX_KEPT = 1_000_000;

  private final Map<TenantId, NavigableMap<Long, Known>> ends = new HashMap<>();
  private int kept;

  /**
   * Adds a chain end from a checkpoint whose signature was verified.
   *
   * @param time the time of the checkpoint
   * @return false if it contradicts an earlier checkpoint
   */
  public boolean add(ChainEnd end, Instant time) {
    NavigableMap<Long, Known> chain =
        ends.computeIfAbsent(end.tenantId(), unused -> new TreeMap<>());
    Known before = chain.putIfAbsent(end.number(), new Known(end.head(), time));
    if (before != null) {
      return before.head().equals(end.head());
    }
    kept++;
    while (kept > MAX_KEPT && chain.size() > 1) {
      chain.pollFirstEntry();
      kept--;
    }
    return true;
  }

  Set<TenantId> tenants() {
    return Set.copyOf(ends.keySet());
  }

  /** Returns the attested end at a number, if it is retained. */
  Optional<Known> at(TenantId tenantId, long number) {
    return Optional.ofNullable(ends.get(tenantId)).map(chain -> chain.get(number));
  }

  /** Returns the latest attested end of the chain, if its number is greater. */
  Optional<Known> lastAfter(TenantId tenantId, long number) {
    return Optional.ofNullable(ends.get(tenantId))
        .map(NavigableMap::lastEntry)
        .filter(last -> last.getKey() > number)
        .map(Map.Entry::getValue);
  }

  /** An attested head, and the time of the first checkpoint that contained it. */
  record Known(LogHash head, Instant time) {}
}
