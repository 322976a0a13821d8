package io.tokenvault.domain.audit.integrity;

import io.tokenvault.domain.tenant.TenantId;
import java.util.Objects;

/**
 * The last link of a tenant's chain, or any link that stands for all before it.
 *
 * @param number of the seal; 0 where there is none yet
 */
public record ChainEnd(TenantId tenantId, long number, LogHash head) {
  public ChainEnd {
    Objects.requireNonNull(tenantId, "tenantId");
    Objects.requireNonNull(head, "head");
  }

  /** A chain without a link. */
  public static ChainEnd none(TenantId tenantId) {
    return new ChainEnd(tenantId, 0, LogHash.NONE);
  }
}
