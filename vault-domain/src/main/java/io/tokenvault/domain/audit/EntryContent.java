package io.tokenvault.domain.audit;

import io.tokenvault.domain.tenant.TenantId;
import java.util.Optional;
import java.util.UUID;

/**
 * The content of an audit entry as it is stored. Unlike an {@link AuditEntry}, it is not validated.
 */
public record EntryContent(
    TenantId tenantId,
    Optional<UUID> actorId,
    Optional<String> actorType,
    String entityType,
    String entityId,
    String operation,
    String message,
    Optional<String> traceId) {

  public static EntryContent of(AuditEntry entry) {
    return new EntryContent(
        entry.tenantId(),
        entry.actor().id(),
        entry.actor().type(),
        entry.entityType().value(),
        entry.entityId(),
        entry.operation().value(),
        entry.message(),
        entry.traceId());
  }
}
