/**
 * Writing the work of concurrent calls in one statement and one commit. Start with {@code
 * BatchWriter}. Each call waits until its own part is durable.
 */
package io.tokenvault.adapters.jdbi.batch;
