package io.tokenvault.domain.audit.integrity;

import java.time.Instant;

/** The place of an entry in its tenant's log; unique within the tenant. */
public record EntryPlace(Instant createdAt, long sequence) {}
