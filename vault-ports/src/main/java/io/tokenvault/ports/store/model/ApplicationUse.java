package io.tokenvault.ports.store.model;

import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.tenant.TenantId;
import java.time.Instant;
import java.util.Objects;

/**
 * The last use of an application.
 *
 * @param at the minute of the use, by the store's clock
 */
public record ApplicationUse(TenantId tenantId, ApplicationId id, Instant at) {
  public ApplicationUse {
    Objects.requireNonNull(tenantId, "tenantId");
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(at, "at");
  }
}
