package io.tokenvault.domain.audit.integrity;

import io.tokenvault.domain.tenant.TenantId;
import java.util.List;
import java.util.Objects;

/**
 * A link in the chain of a tenant's log.
 *
 * @param number from 1, without gaps, unless somebody has tampered with it
 * @param places the entries that it seals, of one month (UTC), at least one, in their order
 * @param head by {@link ChainLinkDigest}
 * @param mac over {@link LogEncoding#seal}
 */
public record ChainLink(
    TenantId tenantId, long number, List<EntryPlace> places, LogHash head, LogTag mac) {
  public ChainLink {
    Objects.requireNonNull(tenantId, "tenantId");
    Objects.requireNonNull(head, "head");
    Objects.requireNonNull(mac, "mac");
    places = List.copyOf(places);
    if (places.isEmpty()) {
      throw new IllegalArgumentException("a seal names entries");
    }
  }
}
