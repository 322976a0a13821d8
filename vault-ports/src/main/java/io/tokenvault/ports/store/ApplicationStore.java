package io.tokenvault.ports.store;

import io.tokenvault.domain.access.ApplicationType;
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
import io.tokenvault.ports.store.model.NewApplication;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/**
 * Stores applications and the keyed hashes of their API keys. The package documentation states the
 * laws for every method.
 */
public interface ApplicationStore {

  /** Stores an application at version 1. Its key is valid once this returns. */
  Application create(NewApplication application, AuditEntry entry);

  /** Returns an application of the tenant. */
  Optional<Application> find(TenantId tenantId, ApplicationId id);

  /**
   * Returns a page of applications, newest first, then by id.
   *
   * @param reservation reserves at least as many bytes as the strings in the access rules of the
   *     page's applications have characters, before more than a small part of them is loaded
   */
  Page<Application> list(
      TenantId tenantId,
      ApplicationFilter filter,
      PageRequest request,
      MemoryReservation reservation);

  /**
   * Replaces the settings of an application.
   *
   * @param expected the version that the application must have when it is updated
   * @return the updated application; empty if it does not exist
   * @throws RefusedException with cause {@code PRECONDITION_FAILED} if the version differs; nothing
   *     is changed
   */
  Optional<Application> update(
      TenantId tenantId,
      ApplicationId id,
      ExpectedVersion expected,
      ApplicationSettings settings,
      Optional<UUID> modifiedBy,
      AuditEntry entry);

  /** Replaces the key regardless of the version; all earlier keys expire immediately. */
  default Optional<Application> replaceKey(
      TenantId tenantId,
      ApplicationId id,
      KeyHash keyHash,
      Optional<UUID> modifiedBy,
      AuditEntry entry) {
    return replaceKey(tenantId, id, ExpectedVersion.ANY, keyHash, KeyGrace.NONE, modifiedBy, entry);
  }

  /**
   * Replaces the key of an application; earlier keys expire when the grace period ends, by the
   * store's clock. An expired key then finds an application that is marked as expired, or none.
   *
   * @param expected as for {@link #update}
   * @return the updated application; empty if it does not exist
   * @throws RefusedException with cause {@code TOO_MANY_KEYS} if more than {@link
   *     KeyGrace#MOST_EARLIER_KEYS} earlier keys would be valid, or {@code PRECONDITION_FAILED} if
   *     the version differs; nothing is changed
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
   * Deletes an application and its keys unless a proxy refers to it.
   *
   * @param expected as for {@link #update}
   */
  Deletion delete(TenantId tenantId, ApplicationId id, ExpectedVersion expected, AuditEntry entry);

  /**
   * Deletes expired applications and records an audit entry for each.
   *
   * @param limit the maximum number of applications to delete
   * @return the number of deleted applications
   */
  int deleteExpired(int limit, Function<Application, AuditEntry> entry);

  /**
   * Deletes earlier keys whose grace period has ended, which no longer authenticate anyone.
   *
   * @param limit the maximum number of keys to delete
   * @return the number of deleted keys
   */
  int deleteEndedKeys(int limit);

  /**
   * Stores the time of last use of applications where no later time is stored. Deleted applications
   * are skipped; applications that are being changed concurrently may be skipped.
   */
  void noteUses(Collection<ApplicationUse> uses);

  /** Returns the stored times of last use. Applications without one are absent from the map. */
  Map<ApplicationId, Instant> lastUses(TenantId tenantId, Collection<ApplicationId> ids);

  /** The outcome of a deletion. */
  sealed interface Deletion {

    /** The application was deleted. */
    record Deleted() implements Deletion {}

    /** The application does not exist. */
    record Absent() implements Deletion {}

    /** The application was not deleted because these proxies refer to it. */
    record NamedByProxies(List<ProxyId> proxies) implements Deletion {
      public NamedByProxies {
        proxies = List.copyOf(proxies);
      }
    }
  }

  /** Criteria for listing applications. An empty set does not restrict the list. */
  record ApplicationFilter(Set<ApplicationId> ids, Set<ApplicationType> types) {
    public ApplicationFilter {
      ids = Set.copyOf(ids);
      types = Set.copyOf(types);
    }
  }

  /**
   * The last use of an application.
   *
   * @param at the minute of the use, by the store's clock
   */
  record ApplicationUse(TenantId tenantId, ApplicationId id, Instant at) {}
}
