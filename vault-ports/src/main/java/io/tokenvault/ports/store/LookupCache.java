package io.tokenvault.ports.store;

import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.runtime.MemoryReservation;

/**
 * Finds the records that {@link RequestLookup} finds, from a cache where possible.
 *
 * <p>Any part of a cached result may be outdated on any node, so it permits no final decision. A
 * decision that allows an operation is valid if {@link AuditRecorder#record} confirms its
 * preconditions before the operation takes place; every other decision must be repeated with a
 * {@link RequestLookup}.
 *
 * <p>Entries are the usable results of single look-ups. Absent and expired records are not cached,
 * nor are tokens with a short-lived part of data. All cached data is encrypted or public.
 * Implementations are thread-safe.
 */
public interface LookupCache {

  /**
   * Finds all records in the cache if each of them is cached, and otherwise all of them in the
   * store.
   *
   * @param reservation the memory reservation for records that are loaded from the store, as for
   *     {@link RequestLookup#load}; nothing is reserved for cached records
   */
  Found lookUp(LookupRequest lookup, MemoryReservation reservation);

  /** Removes everything about this look-up from the cache. */
  void invalidate(LookupRequest lookup);

  /** Returns an implementation that caches nothing. */
  static LookupCache none(RequestLookup store) {
    return new LookupCache() {
      @Override
      public Found lookUp(LookupRequest lookup, MemoryReservation reservation) {
        return new Found(store.load(lookup, reservation), false);
      }

      @Override
      public void invalidate(LookupRequest lookup) {}
    };
  }

  /**
   * The result of a look-up.
   *
   * @param loaded the records
   * @param isCached whether any of them is cached; otherwise all of them are current
   */
  record Found(LookupResult loaded, boolean isCached) {}
}
