package io.tokenvault.domain.audit.integrity;

import io.tokenvault.domain.tenant.TenantId;

/**
 * The last link of a tenant's hash chain, or an earlier link that represents all links before it.
 *
 * @param number the number of the link; 0 for an empty chain
 */
public record ChainEnd(TenantId tenantId, long number, LogHash head) {
  /** Returns the end of an empty chain. */
  public static ChainEnd none(TenantId tenantId) {
    return new ChainEnd(tenantId, 0, LogHash.NONE);
  }
}
