/**
 * Stores: the driven ports of a persistence adapter. Start with {@code RequestLookup}, which loads
 * all records that a request needs in one round trip, and {@code Preconditions}, the versions that
 * a write depends on.
 *
 * <p>Laws that hold for every method of every store: all threads may share one instance; a method
 * that returns has committed, unless it was called by the work of {@link
 * io.tokenvault.ports.store.RequestJournal#once}; a change and its audit entry are committed
 * together or not at all; data of another tenant is never seen, counted or changed; an application
 * or token is absent from its {@code expires_at} on by the store's own clock, which also sets every
 * creation and modification time, to the microsecond; a store that cannot be reached, or cannot
 * write, throws a {@link io.tokenvault.domain.failure.RefusedException} with cause {@code
 * STORE_UNAVAILABLE} whose message contains no argument of the call. An absent value is {@link
 * java.util.Optional#empty} or an empty list, never null.
 *
 * <p>An adapter proves itself with the contract suites in {@code vault-ports-tck}.
 */
package io.tokenvault.ports.store;
