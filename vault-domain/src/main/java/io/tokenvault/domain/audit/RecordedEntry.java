package io.tokenvault.domain.audit;

import java.time.Instant;

/**
 * An entry of the audit log.
 *
 * @param createdAt by the database's clock
 * @param sequence orders entries with equal times; unique within a tenant
 */
public record RecordedEntry(AuditEntry entry, Instant createdAt, long sequence) {}
