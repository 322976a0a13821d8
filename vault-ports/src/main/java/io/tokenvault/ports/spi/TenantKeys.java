package io.tokenvault.ports.spi;

import io.tokenvault.domain.tenant.TenantId;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** All data keys of a tenant, wrapped; what is new is sealed under the one of highest version. */
public record TenantKeys(TenantId tenantId, List<WrappedKey> versions) {

  public TenantKeys {
    Objects.requireNonNull(tenantId, "tenantId");
    versions =
        versions.stream().sorted(Comparator.comparingInt(WrappedKey::version).reversed()).toList();
    if (versions.isEmpty()) {
      throw new IllegalArgumentException("a tenant has at least one data key");
    }
  }

  public WrappedKey current() {
    return versions.get(0);
  }

  public Optional<WrappedKey> version(int version) {
    return versions.stream().filter(key -> key.version() == version).findFirst();
  }
}
