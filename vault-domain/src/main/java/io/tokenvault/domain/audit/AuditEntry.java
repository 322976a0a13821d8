package io.tokenvault.domain.audit;

import io.tokenvault.domain.tenant.TenantId;
import java.util.Objects;
import java.util.Optional;

/**
 * An audited operation or refusal, before it is recorded.
 *
 * @param entityId the identifier within the entity type; {@link #ALL_ENTITIES} for a list or search
 * @param message at most 250 characters; a fixed string that contains ids at most, never data
 * @param traceId the trace id of the request, at most 100 characters; empty for an operation that
 *     no request caused
 */
public record AuditEntry(
    TenantId tenantId,
    Actor actor,
    EntityType entityType,
    String entityId,
    Operation operation,
    String message,
    Optional<String> traceId) {

  public static final int MAX_MESSAGE_LENGTH = 250;
  public static final int MAX_TRACE_ID_LENGTH = 100;
  public static final String ALL_ENTITIES = "*";

  /** Starts the message of a refusal, if it does not end with {@code " denied"}. */
  public static final String DENIED = "Denied: ";

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
    if (traceId.filter(id -> id.length() > MAX_TRACE_ID_LENGTH).isPresent()) {
      throw new IllegalArgumentException("a trace id is too long");
    }
  }

  /** Returns whether the entry records a refusal, which its message indicates. */
  public boolean isRefusal() {
    return message.startsWith(DENIED) || message.endsWith(END_OF_REFUSAL);
  }
}
