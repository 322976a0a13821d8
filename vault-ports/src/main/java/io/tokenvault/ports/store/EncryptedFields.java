package io.tokenvault.ports.store;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.FieldBinding;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Gives access to the encrypted values of every kind of record, regardless of their meaning, for
 * re-encryption. The package documentation states the laws for every method.
 */
public interface EncryptedFields {

  /**
   * Returns values that are encrypted under an older data key. The order is chosen by the store and
   * stable, so that a walk visits every value even if earlier ones change or are deleted.
   *
   * @param currentVersion the current version of the tenant's data key
   * @param after an exclusive lower bound; its value may be current or deleted by now
   * @param limit the maximum number of values
   */
  List<StoredField> stale(
      TenantId tenantId, int currentVersion, Optional<FieldBinding> after, int limit);

  /**
   * Replaces a value by its re-encrypted form if the stored value is unchanged. The version of the
   * record does not change, since its content does not change.
   *
   * @return whether the value was unchanged, and therefore replaced
   */
  boolean replace(StoredField from, EncryptedValue to);

  /** Counts the encrypted values by the version of the tenant's data key. */
  Map<Integer, Long> countByVersion(TenantId tenantId);

  /** An encrypted value as it is stored, and the field that it belongs to. */
  record StoredField(FieldBinding field, EncryptedValue encrypted) {
    public StoredField {
      Objects.requireNonNull(field, "field");
      Objects.requireNonNull(encrypted, "encrypted");
    }
  }
}
