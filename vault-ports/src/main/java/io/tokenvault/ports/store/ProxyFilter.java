package io.tokenvault.ports.store;

import io.tokenvault.domain.proxy.ProxyId;
import java.util.Optional;
import java.util.Set;

/**
 * Which proxies to list.
 *
 * @param ids empty: no restriction
 * @param name {@code *} stands for any run of characters; without one the name contains the text;
 *     upper and lower case are the same, everything else is literal; empty: no restriction
 */
public record ProxyFilter(Set<ProxyId> ids, Optional<String> name) {
  public ProxyFilter {
    ids = Set.copyOf(ids);
  }
}
