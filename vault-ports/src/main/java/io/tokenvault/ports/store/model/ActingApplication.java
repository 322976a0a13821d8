package io.tokenvault.ports.store.model;

import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.tenant.TenantId;
import java.util.Objects;

/** An application that acts without its key, since somebody with the right to do so said so. */
public record ActingApplication(TenantId tenantId, ApplicationId id) {
  public ActingApplication {
    Objects.requireNonNull(tenantId, "tenantId");
    Objects.requireNonNull(id, "id");
  }
}
