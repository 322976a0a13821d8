package io.tokenvault.ports.crypto;

import io.tokenvault.domain.tenant.TenantId;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * All wrapped keys of a tenant. The key with the highest version protects new values. A tenant that
 * was shredded has none.
 */
public record TenantKeys(TenantId tenantId, List<WrappedKey> keys) {

  public TenantKeys {
    Objects.requireNonNull(tenantId, "tenantId");
    keys =
        keys.stream()
            .sorted(
                Comparator.comparing(WrappedKey::purpose)
                    .thenComparing(WrappedKey::version, Comparator.reverseOrder()))
            .toList();
  }

  /** Returns whether the tenant was shredded, so that none of its data can be decrypted. */
  public boolean areDestroyed() {
    return keys.isEmpty();
  }

  /**
   * Returns the key with the highest version for a purpose.
   *
   * @throws IllegalStateException if there is none
   */
  public WrappedKey current(KeyPurpose purpose) {
    return of(purpose)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("the tenant has no " + purpose + " key"));
  }

  /** Returns all keys for a purpose, the current one first. */
  public List<WrappedKey> versions(KeyPurpose purpose) {
    return of(purpose).toList();
  }

  /** Returns the key for a purpose with this version, if there is one. */
  public Optional<WrappedKey> version(KeyPurpose purpose, int version) {
    for (WrappedKey key : keys) {
      if (key.purpose() == purpose && key.version() == version) {
        return Optional.of(key);
      }
    }
    return Optional.empty();
  }

  private Stream<WrappedKey> of(KeyPurpose purpose) {
    return keys.stream().filter(key -> key.purpose() == purpose);
  }
}
