package io.tokenvault.ports.spi;

import io.tokenvault.domain.proxy.Proxy;
import io.tokenvault.domain.proxy.TransformKind;
import java.util.Map;
import java.util.Objects;

/**
 * A proxy with its sealed fields.
 *
 * @param transforms those that it has
 */
public record StoredProxy(
    Proxy proxy, Sealed key, Sealed configuration, Map<TransformKind, SealedTransform> transforms) {

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
