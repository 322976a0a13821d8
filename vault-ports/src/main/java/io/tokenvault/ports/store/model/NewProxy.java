package io.tokenvault.ports.store.model;

import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.proxy.ProxySettings;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.KeyHash;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * A proxy to store.
 *
 * @param key the encrypted proxy key
 * @param keyHash the hash by which the key is found
 * @param configuration the encrypted configuration
 */
public record NewProxy(
    ProxyId id,
    TenantId tenantId,
    ProxySettings settings,
    EncryptedValue key,
    KeyHash keyHash,
    EncryptedValue configuration,
    Map<TransformKind, EncryptedTransform> transforms,
    UUID createdBy) {
  public NewProxy {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(tenantId, "tenantId");
    Objects.requireNonNull(settings, "settings");
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(keyHash, "keyHash");
    Objects.requireNonNull(configuration, "configuration");
    transforms = Map.copyOf(transforms);
    Objects.requireNonNull(createdBy, "createdBy");
  }
}
