package io.tokenvault.ports.store;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.FieldBinding;
import io.tokenvault.ports.store.model.StoredField;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Sealed values of every kind of record, regardless of what they mean. The package names the laws
 * for every method.
 */
public interface EncryptedFields {

  /**
   * Those that are under an older data key, in an order of the store's own that does not change: so
   * a walk comes past each, whatever becomes of those before.
   *
   * @param currentVersion of the tenant's data key
   * @param after only those that come after this place, which may be stale no more, or gone
   * @param limit how many at the most
   */
  List<StoredField> stale(
      TenantId tenantId, int currentVersion, Optional<FieldBinding> after, int limit);

  /**
   * Puts the same value, sealed anew, in place of one that is still what it was. The record's
   * version stays: its content has not changed.
   *
   * @return whether it was
   */
  boolean replace(StoredField from, EncryptedValue to);

  /** How many there are under each version of the tenant's data key. */
  Map<Integer, Long> countByVersion(TenantId tenantId);
}
