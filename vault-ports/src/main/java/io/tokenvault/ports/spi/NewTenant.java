package io.tokenvault.ports.spi;

import io.tokenvault.domain.tenant.ResourceName;
import io.tokenvault.domain.tenant.TenantId;
import java.util.Objects;

/** A tenant that is about to be stored, with its data key and its first application. */
public record NewTenant(
    TenantId id, ResourceName name, WrappedKey dataKey, NewApplication management) {
  public NewTenant {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(dataKey, "dataKey");
    Objects.requireNonNull(management, "management");
  }
}
