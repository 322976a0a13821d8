package io.tokenvault.ports.store;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.proxy.ProxySettings;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.request.ExpectedVersion;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.model.EncryptedTransform;
import io.tokenvault.ports.store.model.NewProxy;
import io.tokenvault.ports.store.model.StoredProxy;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Pre-configured proxies. The package names the laws for every method. */
public interface ProxyStore {

  /**
   * Stores a proxy at version 1, unless the application that it names does not exist.
   *
   * @throws RefusedException of cause {@code TENANT_SHREDDED}, if the tenant's keys are destroyed:
   *     what they sealed could never be opened again
   */
  Change create(NewProxy proxy, AuditEntry entry);

  Optional<StoredProxy> find(TenantId tenantId, ProxyId id);

  /**
   * Newest first, then by id.
   *
   * @param room of which as much is taken as is sealed of the page's proxies, before more than a
   *     little of that is loaded
   */
  Page<StoredProxy> list(
      TenantId tenantId, ProxyFilter filter, PageRequest request, MemoryReservation room);

  /** The same, however much that is. */
  default Page<StoredProxy> list(TenantId tenantId, ProxyFilter filter, PageRequest request) {
    return list(tenantId, filter, request, MemoryReservation.UNBOUNDED);
  }

  /**
   * Replaces settings, configuration and all transforms; the key stays.
   *
   * @param expected what the version has to be when they are replaced
   * @throws RefusedException as {@link #create}, or of cause {@code PRECONDITION_FAILED} if the
   *     version is another; nothing is changed
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

  /** The same, whatever the version. */
  default Change update(
      TenantId tenantId,
      ProxyId id,
      ProxySettings settings,
      EncryptedValue configuration,
      Map<TransformKind, EncryptedTransform> transforms,
      UUID modifiedBy,
      AuditEntry entry) {
    return update(
        tenantId, id, ExpectedVersion.ANY, settings, configuration, transforms, modifiedBy, entry);
  }

  /**
   * Replaces what was compiled from a transform's code, which stays: no change of the proxy, and no
   * new version.
   *
   * @return false if the proxy is no longer at this version; nothing was stored
   */
  boolean replaceCompiled(
      TenantId tenantId,
      ProxyId id,
      long version,
      TransformKind kind,
      EncryptedTransform transform);

  /**
   * Deletes a proxy with its key; whether there was one.
   *
   * @param expected as for {@link #update}
   */
  boolean delete(TenantId tenantId, ProxyId id, ExpectedVersion expected, AuditEntry entry);

  /** The same, whatever the version. */
  default boolean delete(TenantId tenantId, ProxyId id, AuditEntry entry) {
    return delete(tenantId, id, ExpectedVersion.ANY, entry);
  }

  /** What became of a change. */
  sealed interface Change {

    /** It is stored. */
    record Stored(StoredProxy proxy) implements Change {}

    /** There is no such proxy. */
    record Absent() implements Change {}

    /** The application that it names does not exist in this tenant; nothing was stored. */
    record ApplicationMissing() implements Change {}
  }
}
