package io.tokenvault.ports.store.model;

import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.tenant.TenantId;
import java.time.Instant;
import java.util.Objects;

/**
 * When an application was used.
 *
 * @param at the minute in which it was, by the store's clock
 */
public record ApplicationUse(TenantId tenantId, ApplicationId id, Instant at) {
  public ApplicationUse {
    Objects.requireNonNull(tenantId, "tenantId");
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(at, "at");
  }
}
