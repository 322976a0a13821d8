package io.tokenvault.ports.store.model;

import io.tokenvault.domain.proxy.Proxy;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.ports.crypto.EncryptedValue;
import java.util.Map;
import java.util.Objects;

/**
 * A proxy with its encrypted fields.
 *
 * @param key the encrypted proxy key
 * @param configuration the encrypted configuration
 * @param transforms the transforms that the proxy has
 */
public record StoredProxy(
    Proxy proxy,
    EncryptedValue key,
    EncryptedValue configuration,
    Map<TransformKind, EncryptedTransform> transforms) {

  public StoredProxy {
    Objects.requireNonNull(proxy, "proxy");
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(configuration, "configuration");
    transforms = Map.copyOf(transforms);
  }

  /** Returns the size of all encrypted values in bytes. */
  public long size() {
    return key.size()
        + (long) configuration.size()
        + transforms.values().stream().mapToLong(each -> each.content().size()).sum();
  }
}
