package io.tokenvault.ports.store;

import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.model.StoredToken;

/**
 * Half of the hot path: brings what a request needs in one round trip, or two if tokens are large.
 * Decisions made on the answer hold only if {@link AuditRecorder#record} confirms the versions
 * afterwards.
 */
public interface RequestLookup {

  /**
   * Finds the caller, the proxy, and the tokens of the caller's tenant, as of one moment. Unknown
   * ids and those of other tenants take the same path and are absent from the answer.
   *
   * @param room of which at least the {@linkplain StoredToken#size size} of the tokens is taken,
   *     before more than a little of that is loaded
   */
  LookupResult load(LookupRequest lookup, MemoryReservation room);

  /** The same without tokens, for which there is nothing to be taken. */
  default LookupResult load(LookupRequest lookup) {
    if (!lookup.tokens().isEmpty()) {
      throw new IllegalArgumentException("tokens are not loaded without room for them");
    }
    return load(lookup, MemoryReservation.UNBOUNDED);
  }
}
