package io.tokenvault.domain.proxy;

import java.util.Objects;
import java.util.UUID;

/** Identifies a pre-configured proxy within its tenant. */
public record ProxyId(UUID value) {
  public ProxyId {
    Objects.requireNonNull(value, "value");
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
