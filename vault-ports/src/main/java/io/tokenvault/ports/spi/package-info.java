/**
 * Driven ports. A persistence adapter implements the stores, {@link
 * io.tokenvault.ports.spi.RequestLookup} and {@link io.tokenvault.ports.spi.AuditRecorder}, and
 * proves itself with the contract suites of this module's test jar.
 *
 * <p>Laws that hold for every method of every store: all threads may share one instance; a method
 * that returns has committed, unless it was called by the work of {@link
 * io.tokenvault.ports.spi.RequestJournal#once}; a change and the audit entry that comes with it are
 * committed together or not at all; nothing of another tenant is ever seen, counted or changed; an
 * application or token is gone from its {@code expires_at} on by the store's own clock, which also
 * sets every creation and change time, to the microsecond; a store that cannot be reached, or
 * cannot write, throws a {@link io.tokenvault.domain.failure.RefusedException} of cause {@code
 * STORE_UNAVAILABLE} whose text holds no argument of the call. Absent is {@link
 * java.util.Optional#empty} or an empty list, never null.
 */
package io.tokenvault.ports.spi;
