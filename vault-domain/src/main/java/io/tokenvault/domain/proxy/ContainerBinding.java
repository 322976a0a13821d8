package io.tokenvault.domain.proxy;

import io.tokenvault.domain.access.Container;
import java.util.Objects;

/**
 * Allows tokens in a container, and below it, at the hosts that a pattern matches. A container with
 * at least one binding is bound: its tokens are sent to no other hosts.
 */
public record ContainerBinding(Container container, HostPattern host) {
  public ContainerBinding {
    Objects.requireNonNull(container, "container");
    Objects.requireNonNull(host, "host");
  }
}
