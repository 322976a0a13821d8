/**
 * The audit log: writing entries in batches, reading pages, monthly partitions, the feed. Start
 * with {@code JdbiRecorder} for writing and {@code JdbiAuditLog} for reading.
 *
 * <p>Entries are only inserted; the runtime role has no right to change or delete them. Reads
 * accept any content, since a row may have been changed by somebody with more rights.
 */
package io.tokenvault.adapters.jdbi.audit;
