package io.tokenvault.ports.store;

import io.tokenvault.domain.proxy.ProxyId;
import java.util.Optional;
import java.util.Set;

/**
 * Criteria for listing proxies.
 *
 * @param ids ids of proxies; empty for no restriction
 * @param name a case-insensitive name pattern, in which {@code *} stands for any sequence of
 *     characters and everything else is literal; without {@code *} the name must contain it; empty
 *     for no restriction
 */
public record ProxyFilter(Set<ProxyId> ids, Optional<String> name) {
  public ProxyFilter {
    ids = Set.copyOf(ids);
  }
}
