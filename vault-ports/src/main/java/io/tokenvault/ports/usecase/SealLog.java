package io.tokenvault.ports.usecase;

import io.tokenvault.domain.audit.ChainEnd;
import io.tokenvault.domain.audit.LogEncoding;
import io.tokenvault.domain.audit.LogHash;
import io.tokenvault.domain.audit.LogSeal;
import io.tokenvault.domain.audit.MonthDrop;
import io.tokenvault.domain.audit.SealDigest;
import io.tokenvault.domain.audit.StoredEntry;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.spi.LogKeys;
import io.tokenvault.ports.spi.SealStore;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Chains what was recorded, to be run about every second. Any number of nodes may do it: one at a
 * time does.
 */
public final class SealLog {

  private static final int BATCH = 10_000;

  private final SealStore store;
  private final LogKeys keys;

  public SealLog(SealStore store, LogKeys keys) {
    this.store = store;
    this.keys = keys;
  }

  /** Seals all there is. Returns how many entries that were; 0 if another node is at it. */
  public int run() {
    int total = 0;
    int round;
    do {
      round = runOnce();
      total += round;
    } while (round == BATCH);
    return total;
  }

  /** The same for some of what there is, which takes seconds at the most. */
  public int runOnce() {
    return store.seal(BATCH, (entries, ends) -> seals(keys, entries, ends)).orElse(0);
  }

  /** What {@link SealStore.Sealing} asks for. */
  public static List<LogSeal> seals(
      LogKeys keys, List<StoredEntry> entries, Map<TenantId, ChainEnd> known) {
    Map<TenantId, ChainEnd> ends = new HashMap<>(known);
    List<LogSeal> seals = new ArrayList<>();
    for (List<StoredEntry> part : parts(entries)) {
      TenantId tenant = part.get(0).tenantId();
      LogSeal seal = seal(keys, part, ends.getOrDefault(tenant, ChainEnd.none(tenant)));
      seals.add(seal);
      ends.put(tenant, new ChainEnd(tenant, seal.number(), seal.head()));
    }
    return seals;
  }

  /** By tenant and month, so that a month can be dropped without half of a seal. */
  private static Collection<List<StoredEntry>> parts(List<StoredEntry> entries) {
    Map<Part, List<StoredEntry>> parts = new LinkedHashMap<>();
    for (StoredEntry entry : entries) {
      parts
          .computeIfAbsent(
              new Part(entry.tenantId(), MonthDrop.monthOf(entry.place())),
              unused -> new ArrayList<>())
          .add(entry);
    }
    return parts.values();
  }

  private static LogSeal seal(LogKeys keys, List<StoredEntry> entries, ChainEnd previous) {
    SealDigest digest = new SealDigest(previous, entries.size());
    entries.forEach(digest::add);
    LogHash head = digest.head();
    long number = previous.number() + 1;
    var places = entries.stream().map(StoredEntry::place).toList();
    byte[] content = LogEncoding.seal(previous.tenantId(), number, places, head);
    return new LogSeal(
        previous.tenantId(), number, places, head, keys.authenticate(LogKeys.Use.SEAL, content));
  }

  /** What one seal can be of. */
  private record Part(TenantId tenant, YearMonth month) {}
}
