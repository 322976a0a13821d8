package io.tokenvault.domain.audit;

import io.tokenvault.domain.tenant.TenantId;
import java.util.List;
import java.util.Objects;

/**
 * A link in the chain of a tenant's log.
 *
 * @param number from 1, without gaps
 * @param places the entries that it seals, of one month (UTC), at least one, in their order
 * @param head by {@link SealDigest}
 * @param mac over {@link LogEncoding#seal}
 */
public record LogSeal(
    TenantId tenantId, long number, List<EntryPlace> places, LogHash head, LogTag mac) {
  public LogSeal {
    Objects.requireNonNull(tenantId, "tenantId");
    Objects.requireNonNull(head, "head");
    Objects.requireNonNull(mac, "mac");
    places = List.copyOf(places);
    if (number < 1 || places.isEmpty()) {
      throw new IllegalArgumentException("a seal has a number from 1 on and names entries");
    }
  }
}
