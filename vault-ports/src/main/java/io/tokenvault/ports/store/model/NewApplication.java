package io.tokenvault.ports.store.model;

import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.application.ApplicationDraft;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.KeyHash;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * An application to store, with the hash of its key.
 *
 * @param createdBy empty if a command creates it
 * @param keyHash the hash of its first API key
 */
public record NewApplication(
    ApplicationId id,
    TenantId tenantId,
    ApplicationDraft.Valid draft,
    Optional<UUID> createdBy,
    KeyHash keyHash) {
  /**
   * Returns the application at version 1.
   *
   * @param now by the store's clock
   */
  public Application createdAt(Instant now) {
    return Application.create(id, tenantId, draft, createdBy, now);
  }
}
