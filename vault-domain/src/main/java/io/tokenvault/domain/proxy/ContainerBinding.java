package io.tokenvault.domain.proxy;

import io.tokenvault.domain.access.Container;
import java.util.Objects;

/**
 * Tokens in the container and under it may go to hosts that the pattern means. A container with one
 * binding or more is bound: its tokens go nowhere else.
 */
public record ContainerBinding(Container container, HostPattern host) {
  public ContainerBinding {
    Objects.requireNonNull(container, "container");
    Objects.requireNonNull(host, "host");
  }
}
