/**
 * Recorded requests and responses. Start with {@code JdbiRequestJournal}. An advisory lock
 * serializes two requests with one idempotency key.
 *
 * <p>Keys and content are stored as hashes, responses encrypted.
 */
package io.tokenvault.adapters.jdbi.idempotency;
