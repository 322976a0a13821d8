package io.tokenvault.ports.store;

import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.application.ApplicationSettings;
import io.tokenvault.domain.application.KeyGrace;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.request.ExpectedVersion;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.model.ApplicationUse;
import io.tokenvault.ports.store.model.NewApplication;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/** Applications and the hashes of their keys. The package names the laws for every method. */
public interface ApplicationStore {

  /** Stores an application at version 1; its key works from then on. */
  Application create(NewApplication application, AuditEntry entry);

  Optional<Application> find(TenantId tenantId, ApplicationId id);

  /**
   * Newest first, then by id.
   *
   * @param room of which at least as much is taken as the texts in the access rules of the page's
   *     applications have characters, before more than a little of that is loaded
   */
  Page<Application> list(
      TenantId tenantId, ApplicationFilter filter, PageRequest request, MemoryReservation room);

  /** The same, however much that is. */
  default Page<Application> list(TenantId tenantId, ApplicationFilter filter, PageRequest request) {
    return list(tenantId, filter, request, MemoryReservation.UNBOUNDED);
  }

  /**
   * Replaces the settings; empty if there is no such application.
   *
   * @param expected what the version has to be when it is replaced
   * @throws RefusedException of cause {@code PRECONDITION_FAILED}, if it is another; nothing is
   *     changed
   */
  Optional<Application> update(
      TenantId tenantId,
      ApplicationId id,
      ExpectedVersion expected,
      ApplicationSettings settings,
      Optional<UUID> modifiedBy,
      AuditEntry entry);

  /** The same, whatever the version. */
  default Optional<Application> update(
      TenantId tenantId,
      ApplicationId id,
      ApplicationSettings settings,
      Optional<UUID> modifiedBy,
      AuditEntry entry) {
    return update(tenantId, id, ExpectedVersion.ANY, settings, modifiedBy, entry);
  }

  /** Ends all earlier keys and lets this one in, whatever the version. */
  default Optional<Application> replaceKey(
      TenantId tenantId,
      ApplicationId id,
      KeyHash keyHash,
      Optional<UUID> modifiedBy,
      AuditEntry entry) {
    return replaceKey(tenantId, id, keyHash, KeyGrace.NONE, modifiedBy, entry);
  }

  /** The same, but that earlier keys go on for a time. */
  default Optional<Application> replaceKey(
      TenantId tenantId,
      ApplicationId id,
      KeyHash keyHash,
      KeyGrace grace,
      Optional<UUID> modifiedBy,
      AuditEntry entry) {
    return replaceKey(tenantId, id, ExpectedVersion.ANY, keyHash, grace, modifiedBy, entry);
  }

  /**
   * Lets this key in, and ends earlier ones when the time of grace is over, by the store's clock.
   * From its end on a key finds an application that is said to be expired, or none.
   *
   * @param expected as for {@link #update}
   * @return empty if there is no such application
   * @throws RefusedException of cause {@code TOO_MANY_KEYS}, if more than {@link
   *     KeyGrace#MOST_EARLIER_KEYS} earlier keys would work then, or {@code PRECONDITION_FAILED};
   *     nothing is changed
   */
  Optional<Application> replaceKey(
      TenantId tenantId,
      ApplicationId id,
      ExpectedVersion expected,
      KeyHash keyHash,
      KeyGrace grace,
      Optional<UUID> modifiedBy,
      AuditEntry entry);

  /**
   * Deletes an application and its keys, unless a proxy names it.
   *
   * @param expected as for {@link #update}
   */
  Deletion delete(TenantId tenantId, ApplicationId id, ExpectedVersion expected, AuditEntry entry);

  /** The same, whatever the version. */
  default Deletion delete(TenantId tenantId, ApplicationId id, AuditEntry entry) {
    return delete(tenantId, id, ExpectedVersion.ANY, entry);
  }

  /**
   * Deletes applications whose time has come, with an entry for each.
   *
   * @param limit how many at the most
   * @return how many were deleted
   */
  int deleteExpired(int limit, Function<Application, AuditEntry> entry);

  /**
   * Forgets earlier keys whose time of grace is over, which let nobody in any more.
   *
   * @param limit how many at the most
   * @return how many were forgotten
   */
  int deleteEndedKeys(int limit);

  /**
   * Notes when applications were last used, where nothing later is known. Those that are gone are
   * left out, and so may be those that somebody else is changing at the moment.
   */
  void noteUses(Collection<ApplicationUse> uses);

  /** When these were last used, as far as was noted; without those of which nothing is known. */
  Map<ApplicationId, Instant> lastUses(TenantId tenantId, Collection<ApplicationId> ids);

  /** What became of a deletion. */
  sealed interface Deletion {

    /** It is gone. */
    record Deleted() implements Deletion {}

    /** There was no such application. */
    record Absent() implements Deletion {}

    /** It stays, because proxies name it. */
    record NamedByProxies(List<ProxyId> proxies) implements Deletion {
      public NamedByProxies {
        proxies = List.copyOf(proxies);
      }
    }
  }
}
