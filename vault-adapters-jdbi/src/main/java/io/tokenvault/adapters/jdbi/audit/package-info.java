/**
 * The audit log: writing entries in batches, reading pages, monthly partitions, the feed. Start
 * with {@code JdbiRecorder}. Entries are only inserted; the runtime role has no right to change or
 * delete them.
 */
package io.tokenvault.adapters.jdbi.audit;
