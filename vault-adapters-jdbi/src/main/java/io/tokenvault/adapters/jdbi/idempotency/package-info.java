/**
 * Recorded requests and responses. Start with {@code JdbiRequestJournal}. An advisory lock
 * serializes two requests with one idempotency key.
 */
package io.tokenvault.adapters.jdbi.idempotency;
