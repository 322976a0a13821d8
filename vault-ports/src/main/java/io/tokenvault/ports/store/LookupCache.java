package io.tokenvault.ports.store;

import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.runtime.MemoryReservation;
import java.util.Objects;

/**
 * Finds what {@link RequestLookup} finds, from memory where it can. What it remembers may be
 * outdated in any part, on any node: nothing may be decided on it for good. A decision to let
 * something happen holds if {@link AuditRecorder#record} then confirms its versions, before
 * anything happens; anything else is decided anew on a {@link RequestLookup}.
 *
 * <p>Remembered is what one look-up found and may be used: no absence, nothing expired, no token
 * with a part that goes before its version does. All of it is sealed or public. All threads may
 * share one instance.
 */
public interface LookupCache {

  /**
   * Finds from memory if all of it is there, and otherwise all of it in the store.
   *
   * @param room for what is loaded from the store, as for {@link RequestLookup#load}; nothing is
   *     taken for what is remembered
   */
  Recalled recall(LookupRequest lookup, MemoryReservation room);

  /** Whatever of this is remembered is looked up the next time. */
  void forget(LookupRequest lookup);

  /** One without a memory. */
  static LookupCache forgetful(RequestLookup store) {
    return new LookupCache() {
      @Override
      public Recalled recall(LookupRequest lookup, MemoryReservation room) {
        return new Recalled(store.load(lookup, room), false);
      }

      @Override
      public void forget(LookupRequest lookup) {}
    };
  }

  /**
   * What was found.
   *
   * @param isRemembered whether any of it is from memory; otherwise it holds as of now
   */
  record Recalled(LookupResult loaded, boolean isRemembered) {
    public Recalled {
      Objects.requireNonNull(loaded, "loaded");
    }
  }
}
