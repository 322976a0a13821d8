package io.tokenvault.ports.store.model;

import io.tokenvault.domain.tenant.ResourceName;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.TenantKeys;
import java.util.Objects;

/**
 * A tenant to store, with its keys and its first application.
 *
 * @param management the application that manages the others
 */
public record NewTenant(
    TenantId id, ResourceName name, TenantKeys keys, NewApplication management) {
  public NewTenant {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(keys, "keys");
    Objects.requireNonNull(management, "management");
  }
}
