package io.tokenvault.ports.spi;

import io.tokenvault.domain.tenant.TenantId;
import java.util.List;
import java.util.Map;

/**
 * Sealed values of every kind of record, regardless of what they mean. The package names the laws
 * for every method.
 */
public interface SealedFields {

  /**
   * Those that are under an older data key.
   *
   * @param currentVersion of the tenant's data key
   * @param limit how many at the most
   */
  List<StoredField> stale(TenantId tenantId, int currentVersion, int limit);

  /**
   * Puts the same value, sealed anew, in place of one that is still what it was. The record's
   * version stays: its content has not changed.
   *
   * @return whether it was
   */
  boolean replace(StoredField from, Sealed to);

  /** How many there are under each version of the tenant's data key. */
  Map<Integer, Long> countByVersion(TenantId tenantId);
}
