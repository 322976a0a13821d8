package io.tokenvault.domain.audit;

import io.tokenvault.domain.tenant.TenantId;
import java.util.Objects;

/**
 * An audited operation or refusal, before it is recorded.
 *
 * @param entityId the identifier within the entity type; {@link #ALL_ENTITIES} for a list or search
 * @param message at most 250 characters; a fixed string that contains ids at most, never data
 */
public record AuditEntry(
    TenantId tenantId,
    Actor actor,
    EntityType entityType,
    String entityId,
    Operation operation,
    String message) {

  public static final int MAX_MESSAGE_LENGTH = 250;
  public static final String ALL_ENTITIES = "*";

  private static final String END_OF_REFUSAL = " denied";

  public AuditEntry {
    Objects.requireNonNull(tenantId, "tenantId");
    Objects.requireNonNull(actor, "actor");
    Objects.requireNonNull(entityType, "entityType");
    Objects.requireNonNull(entityId, "entityId");
    Objects.requireNonNull(operation, "operation");
    if (message.length() > MAX_MESSAGE_LENGTH) {
      throw new IllegalArgumentException("a log message is too long");
    }
  }

  /** Returns whether the entry records a refusal, which the end of its message indicates. */
  public boolean isRefusal() {
    return message.endsWith(END_OF_REFUSAL);
  }
}
