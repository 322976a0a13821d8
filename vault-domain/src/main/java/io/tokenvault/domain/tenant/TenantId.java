package io.tokenvault.domain.tenant;

import java.util.Objects;
import java.util.UUID;

/** Identifies a tenant. */
public record TenantId(UUID value) {
  public TenantId {
    Objects.requireNonNull(value, "value");
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
