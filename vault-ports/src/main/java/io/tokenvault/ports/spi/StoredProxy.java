package io.tokenvault.ports.spi;

import io.tokenvault.domain.proxy.Proxy;
import java.util.Objects;

/** A proxy with its sealed fields. */
public record StoredProxy(Proxy proxy, Sealed key, Sealed configuration) {
  public StoredProxy {
    Objects.requireNonNull(proxy, "proxy");
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(configuration, "configuration");
  }
}
