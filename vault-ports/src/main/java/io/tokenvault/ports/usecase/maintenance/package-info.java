/**
 * Background work on stored data. {@code DeleteExpired} removes rows that have expired; they were
 * invisible from their expiry on.
 */
package io.tokenvault.ports.usecase.maintenance;
