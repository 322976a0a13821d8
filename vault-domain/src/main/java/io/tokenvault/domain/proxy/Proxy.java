package io.tokenvault.domain.proxy;

import io.tokenvault.domain.tenant.Provenance;
import io.tokenvault.domain.tenant.TenantId;
import java.util.Objects;

/**
 * A pre-configured proxy (interface, section 2), without its key, configuration and transforms,
 * which are stored encrypted.
 *
 * @param version incremented by every change
 */
public record Proxy(
    ProxyId id, TenantId tenantId, ProxySettings settings, Provenance provenance, long version) {
  public Proxy {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(tenantId, "tenantId");
    Objects.requireNonNull(settings, "settings");
    Objects.requireNonNull(provenance, "provenance");
  }
}
