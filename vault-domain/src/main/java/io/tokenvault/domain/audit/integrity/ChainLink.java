package io.tokenvault.domain.audit.integrity;

import io.tokenvault.domain.tenant.TenantId;
import java.util.List;

/**
 * A link in the hash chain of a tenant's log.
 *
 * @param number from 1, without gaps unless the chain was tampered with
 * @param places the places of its entries, all of one month (UTC), at least one, in their order
 * @param head the hash by {@link ChainLinkDigest}
 * @param mac the MAC over {@link LogEncoding#chainLink}
 */
public record ChainLink(
    TenantId tenantId, long number, List<EntryPlace> places, LogHash head, LogTag mac) {
  public ChainLink {
    places = List.copyOf(places);
    if (places.isEmpty()) {
      throw new IllegalArgumentException("a chain link names entries");
    }
  }
}
