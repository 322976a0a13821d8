package io.tokenvault.ports.store;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.proxy.ProxySettings;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.request.ExpectedVersion;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.model.EncryptedTransform;
import io.tokenvault.ports.store.model.StoredProxy;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Stores pre-configured proxies. The package documentation states the laws for every method. */
public interface ProxyStore {

  /**
   * Stores a proxy at version 1 unless the application that it refers to does not exist.
   *
   * @throws RefusedException with cause {@code TENANT_SHREDDED} if the tenant's keys are destroyed:
   *     values that they encrypted could never be decrypted again
   */
  Change create(NewProxy proxy, AuditEntry entry);

  /** Returns a proxy of the tenant. */
  Optional<StoredProxy> find(TenantId tenantId, ProxyId id);

  /**
   * Returns a page of proxies, newest first, then by id.
   *
   * @param reservation reserves as many bytes as the encrypted values of the page's proxies have,
   *     before more than a small part of them is loaded
   */
  Page<StoredProxy> list(
      TenantId tenantId, ProxyFilter filter, PageRequest request, MemoryReservation reservation);

  /**
   * Replaces settings, configuration and all transforms of a proxy; its key does not change.
   *
   * @param expected the version that the proxy must have when it is updated
   * @throws RefusedException as for {@link #create}, or with cause {@code PRECONDITION_FAILED} if
   *     the version differs; nothing is changed
   */
  Change update(
      TenantId tenantId,
      ProxyId id,
      ExpectedVersion expected,
      ProxySettings settings,
      EncryptedValue configuration,
      Map<TransformKind, EncryptedTransform> transforms,
      UUID modifiedBy,
      AuditEntry entry);

  /**
   * Replaces the compiled form of a transform whose code does not change. The version of the proxy
   * does not change either.
   *
   * @return false if the proxy no longer has this version; nothing was stored
   */
  boolean replaceCompiled(
      TenantId tenantId,
      ProxyId id,
      long version,
      TransformKind kind,
      EncryptedTransform transform);

  /**
   * Deletes a proxy and its key.
   *
   * @param expected as for {@link #update}
   * @return whether the proxy existed
   */
  boolean delete(TenantId tenantId, ProxyId id, ExpectedVersion expected, AuditEntry entry);

  /** The outcome of a creation or update. */
  sealed interface Change {

    /** The proxy was stored. */
    record Stored(StoredProxy proxy) implements Change {}

    /** The proxy does not exist. */
    record Absent() implements Change {}

    /**
     * The application that the proxy refers to does not exist in the tenant; nothing was stored.
     */
    record ApplicationMissing() implements Change {}
  }

  /**
   * Criteria for listing proxies.
   *
   * @param ids ids of proxies; empty for no restriction
   * @param name a case-insensitive name pattern, in which {@code *} stands for any sequence of
   *     characters and everything else is literal; without {@code *} the name must contain it;
   *     empty for no restriction
   */
  record ProxyFilter(Set<ProxyId> ids, Optional<String> name) {
    public ProxyFilter {
      ids = Set.copyOf(ids);
    }
  }

  /**
   * A proxy to store.
   *
   * @param key the encrypted proxy key
   * @param keyHash the hash by which the key is found
   * @param configuration the encrypted configuration
   */
  record NewProxy(
      ProxyId id,
      TenantId tenantId,
      ProxySettings settings,
      EncryptedValue key,
      KeyHash keyHash,
      EncryptedValue configuration,
      Map<TransformKind, EncryptedTransform> transforms,
      UUID createdBy) {
    public NewProxy {
      transforms = Map.copyOf(transforms);
    }
  }
}
