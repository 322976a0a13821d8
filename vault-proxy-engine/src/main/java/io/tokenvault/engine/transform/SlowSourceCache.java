package io.tokenvault.engine.transform;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.engine.transform.module.CachedModuleCompiler;
import io.tokenvault.engine.transform.pool.WorkerFailedException.WorkerFailure;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Cache of the sources that took too long to compile, so that they are not compiled repeatedly.
 *
 * <p>Entries are hashes that include the tenant: a tenant cannot find out by this cache whether
 * another tenant has the same source. Entries expire after ten minutes. Thread-safe.
 */
final class SlowSourceCache {

  /** The lifetime of an entry. */
  static final Duration RETENTION = Duration.ofMinutes(10);

  /** The greatest number of entries; the oldest one is removed first. */
  static final int MOST = 1000;

  private final LongSupplier nanoTime;

  /** The entries by hash, oldest first. */
  private final Map<String, Known> known = new LinkedHashMap<>();

  /**
   * Creates an empty cache.
   *
   * @param nanoTime the clock, with the contract of {@link System#nanoTime}
   */
  SlowSourceCache(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  private record Known(WorkerFailure failure, long since) {}

  /**
   * Adds a source, replacing an earlier entry for it.
   *
   * @param failure the reason to report until the entry expires
   */
  void add(TenantId tenantId, String source, WorkerFailure failure) {
    String hash = CachedModuleCompiler.hash(tenantId.toString(), source);
    synchronized (known) {
      known.remove(hash);
      known.put(hash, new Known(failure, nanoTime.getAsLong()));
      if (known.size() > MOST) {
        known.remove(known.keySet().iterator().next());
      }
    }
  }

  /** Returns how the last compilation of this source failed; empty if it has no current entry. */
  Optional<WorkerFailure> failure(TenantId tenantId, String source) {
    String hash = CachedModuleCompiler.hash(tenantId.toString(), source);
    synchronized (known) {
      known.values().removeIf(each -> nanoTime.getAsLong() - each.since() >= RETENTION.toNanos());
      return Optional.ofNullable(known.get(hash)).map(Known::failure);
    }
  }
}
