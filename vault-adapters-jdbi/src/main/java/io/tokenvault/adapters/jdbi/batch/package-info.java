/**
 * Writing the work of concurrent calls in one statement and one commit. Start with {@code
 * BatchWriter}; {@code BatchQueue} decides which calls share a batch and when it is written.
 *
 * <p>A call that waits returns only after its own part is durable. A call is sent or withdrawn,
 * never both.
 */
package io.tokenvault.adapters.jdbi.batch;
