package io.tokenvault.ports.store.model;

import io.tokenvault.domain.proxy.Proxy;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.ports.crypto.EncryptedValue;
import java.util.Map;
import java.util.Objects;

/**
 * A proxy with its sealed fields.
 *
 * @param transforms those that it has
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

  /** Of all that is sealed, in bytes. */
  public long size() {
    return key.size()
        + (long) configuration.size()
        + transforms.values().stream().mapToLong(each -> each.content().size()).sum();
  }
}
