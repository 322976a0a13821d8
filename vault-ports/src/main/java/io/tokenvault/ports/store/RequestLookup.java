package io.tokenvault.ports.store;

import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.model.StoredToken;

/**
 * Loads all records that a request needs in one round trip, or in two if tokens are large.
 *
 * <p>Decisions based on the result are valid only if {@link AuditRecorder#record} confirms their
 * preconditions afterwards.
 */
public interface RequestLookup {

  /**
   * Finds the caller, the proxy, and tokens of the caller's tenant in one snapshot. Unknown ids and
   * ids of other tenants take an identical path and are absent from the result.
   *
   * @param reservation reserves at least the {@linkplain StoredToken#size size} of the tokens
   *     before more than a small part of them is loaded
   */
  LookupResult load(LookupRequest lookup, MemoryReservation reservation);
}
