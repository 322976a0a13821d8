package io.tokenvault.adapters.jdbi.application;

import io.tokenvault.adapters.jdbi.sql.Database;
import io.tokenvault.adapters.jdbi.sql.EntryRows;
import io.tokenvault.adapters.jdbi.sql.FilteredQuery;
import io.tokenvault.adapters.jdbi.sql.FilteredQuery.Listing;
import io.tokenvault.adapters.jdbi.sql.SqlValues;
import io.tokenvault.adapters.jdbi.sql.StoredColumns;
import io.tokenvault.adapters.jdbi.sql.StoredJson;
import io.tokenvault.adapters.jdbi.sql.StoredRow;
import io.tokenvault.domain.access.ApplicationType;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.application.ApplicationSettings;
import io.tokenvault.domain.application.KeyGrace;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.request.ExpectedVersion;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.ApplicationStore;
import io.tokenvault.ports.store.ApplicationStore.ApplicationFilter;
import io.tokenvault.ports.store.ApplicationStore.ApplicationUse;
import io.tokenvault.ports.store.Page;
import io.tokenvault.ports.store.PageRequest;
import io.tokenvault.ports.store.model.NewApplication;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.argument.Argument;

/**
 * Applications in PostgreSQL.
 *
 * <p>A change locks the application's row, checks the version that the caller expects, and commits
 * together with its audit entry. Expired applications are invisible even before they are deleted.
 *
 * <p>Reads compare expiry with the start of the statement's transaction, changes with the current
 * time, because a change may have waited for the lock; see {@link StoredColumns#STILL_UNEXPIRED}.
 * An instance is safe for use by many threads.
 */
public final class JdbiApplications implements ApplicationStore {

  /** Lists applications by the time of their creation; the id makes the order unique. */
  private static final Listing NEWEST_FIRST =
      new Listing(
          StoredColumns.APPLICATION_WITHIN_ROOM, "application", "created_at DESC, application_id");

  private final Database database;

  /** Creates the store, which takes part in the database's shared transaction if it has one. */
  public JdbiApplications(Database database) {
    this.database = database;
  }

  @Override
  public Application create(NewApplication application, AuditEntry entry) {
    return database.change(
        handle -> {
          Application created = insert(handle, application);
          EntryRows.add(handle, entry);
          return created;
        });
  }

  /**
   * Inserts an application and the hash of its API key, in the transaction of the handle. Used for
   * the management application of a new tenant as well.
   *
   * @return the application with its version and time of creation, as the database set them
   */
  public static Application insert(Handle handle, NewApplication application) {
    ApplicationSettings settings = application.settings();
    Application created =
        handle
            .createQuery(
                """
                INSERT INTO application (
                  tenant_id, application_id, type, name, permissions, rules, can_create_expiring,
                  expires_at, delegated_by, created_by)
                VALUES (
                  :tenant, :id, :type, :name, :permissions, :rules::jsonb, :canCreateExpiring,
                  :expiresAt, :delegatedBy, :createdBy)
                RETURNING
                """
                    + StoredColumns.APPLICATION)
            .bind("tenant", application.tenantId().value())
            .bind("id", application.id().value())
            .bind("type", application.type().value())
            .bind("name", settings.name().value())
            .bind("permissions", permissions(settings))
            .bind("rules", StoredJson.rules(settings.policy().rules()))
            .bind("canCreateExpiring", settings.canCreateExpiring().orElse(null))
            .bind("expiresAt", SqlValues.time(application.expiresAt()))
            .bind("delegatedBy", application.delegatedBy().map(ApplicationId::value).orElse(null))
            .bind("createdBy", application.createdBy().orElse(null))
            .map(StoredRow::read)
            .one()
            .toApplication();
    CredentialSql.add(
        handle,
        CredentialSql.API,
        application.tenantId(),
        application.id().value(),
        application.keyHash());
    return created;
  }

  /** Returns the permissions as an array of their types. */
  private static Argument permissions(ApplicationSettings settings) {
    return SqlValues.texts(settings.policy().permissions().stream().map(Permission::type).toList());
  }

  @Override
  public Optional<Application> find(TenantId tenantId, ApplicationId id) {
    return database.run(
        handle ->
            handle
                .createQuery(
                    "SELECT "
                        + StoredColumns.APPLICATION
                        + " FROM application WHERE tenant_id = :tenant AND application_id = :id AND"
                        + " "
                        + StoredColumns.UNEXPIRED)
                .bind("tenant", tenantId.value())
                .bind("id", id.value())
                .map(StoredRow::read)
                .findOne()
                .map(StoredRow::toApplication));
  }

  @Override
  public Page<Application> list(
      TenantId tenantId,
      ApplicationFilter filter,
      PageRequest request,
      MemoryReservation reservation) {
    // An empty set in the filter does not restrict the list.
    Set<UUID> ids = filter.ids().stream().map(ApplicationId::value).collect(Collectors.toSet());
    Set<String> types =
        filter.types().stream().map(ApplicationType::value).collect(Collectors.toSet());
    FilteredQuery conditions =
        FilteredQuery.of(tenantId)
            .and(StoredColumns.UNEXPIRED)
            .andIfUuids(ids, "application_id = ANY (%s)")
            .andIfTexts(types, "type = ANY (%s)");
    return database
        .run(handle -> conditions.page(handle, NEWEST_FIRST, request, reservation))
        .map(StoredRow::toApplication);
  }

  @Override
  public Optional<Application> update(
      TenantId tenantId,
      ApplicationId id,
      ExpectedVersion expected,
      ApplicationSettings settings,
      Optional<UUID> modifiedBy,
      AuditEntry entry) {
    return database.change(
        handle -> {
          if (!hold(handle, tenantId, id, expected)) {
            return Optional.empty();
          }
          // The application may have expired while this transaction waited for the lock.
          Optional<Application> updated = update(handle, tenantId, id, settings, modifiedBy);
          updated.ifPresent(unused -> EntryRows.add(handle, entry));
          return updated;
        });
  }

  /**
   * Updates the settings of a locked application and increases its version; empty if it has
   * expired.
   */
  private static Optional<Application> update(
      Handle handle,
      TenantId tenantId,
      ApplicationId id,
      ApplicationSettings settings,
      Optional<UUID> modifiedBy) {
    return handle
        .createQuery(
            """
            UPDATE application
            SET name = :name, permissions = :permissions, rules = :rules::jsonb,
                can_create_expiring = :canCreateExpiring, modified_by = :modifiedBy,
                modified_at = clock_timestamp(), version = version + 1
            WHERE tenant_id = :tenant AND application_id = :id AND %s
            RETURNING %s
            """
                .formatted(StoredColumns.STILL_UNEXPIRED, StoredColumns.APPLICATION))
        .bind("name", settings.name().value())
        .bind("permissions", permissions(settings))
        .bind("rules", StoredJson.rules(settings.policy().rules()))
        .bind("canCreateExpiring", settings.canCreateExpiring().orElse(null))
        .bind("modifiedBy", modifiedBy.orElse(null))
        .bind("tenant", tenantId.value())
        .bind("id", id.value())
        .map(StoredRow::read)
        .findOne()
        .map(StoredRow::toApplication);
  }

  @Override
  public Optional<Application> replaceKey(
      TenantId tenantId,
      ApplicationId id,
      ExpectedVersion expected,
      KeyHash keyHash,
      KeyGrace grace,
      Optional<UUID> modifiedBy,
      AuditEntry entry) {
    return database.change(
        handle -> {
          if (!hold(handle, tenantId, id, expected)) {
            return Optional.empty();
          }
          // A new key is a change of the application, so its version increases and If-Match
          // applies.
          Optional<Application> touched = touch(handle, tenantId, id, modifiedBy);
          if (touched.isPresent()) {
            CredentialSql.replace(handle, tenantId, id.value(), keyHash, grace);
            EntryRows.add(handle, entry);
          }
          return touched;
        });
  }

  /**
   * Records a modification that changes no setting, and increases the version; empty if the
   * application has expired.
   */
  private static Optional<Application> touch(
      Handle handle, TenantId tenantId, ApplicationId id, Optional<UUID> modifiedBy) {
    return handle
        .createQuery(
            """
            UPDATE application
            SET modified_by = :modifiedBy, modified_at = clock_timestamp(), version = version + 1
            WHERE tenant_id = :tenant AND application_id = :id AND %s
            RETURNING %s
            """
                .formatted(StoredColumns.STILL_UNEXPIRED, StoredColumns.APPLICATION))
        .bind("modifiedBy", modifiedBy.orElse(null))
        .bind("tenant", tenantId.value())
        .bind("id", id.value())
        .map(StoredRow::read)
        .findOne()
        .map(StoredRow::toApplication);
  }

  @Override
  public Deletion delete(
      TenantId tenantId, ApplicationId id, ExpectedVersion expected, AuditEntry entry) {
    return database.change(
        handle ->
            hold(handle, tenantId, id, expected)
                ? ApplicationRemoval.one(handle, tenantId, id, entry)
                : new Deletion.Absent());
  }

  /**
   * Locks an application until the transaction ends, after waiting for transactions that change it
   * or create a proxy that uses it. Returns false if it does not exist.
   *
   * @throws io.tokenvault.domain.failure.RefusedException if its version is not the expected one
   */
  private static boolean hold(
      Handle handle, TenantId tenantId, ApplicationId id, ExpectedVersion expected) {
    Optional<Long> version =
        handle
            .createQuery(
                """
                SELECT version FROM application
                WHERE tenant_id = :tenant AND application_id = :id AND %s
                FOR UPDATE
                """
                    .formatted(StoredColumns.STILL_UNEXPIRED))
            .bind("tenant", tenantId.value())
            .bind("id", id.value())
            .mapTo(Long.class)
            .findOne();
    version.ifPresent(expected::require);
    return version.isPresent();
  }

  @Override
  public int deleteExpired(int limit, Function<Application, AuditEntry> entry) {
    return database.change(handle -> ApplicationRemoval.expired(handle, limit, entry));
  }

  @Override
  public int deleteEndedKeys(int limit) {
    return database.run(handle -> CredentialSql.deleteEnded(handle, limit));
  }

  @Override
  public void noteUses(Collection<ApplicationUse> uses) {
    database.run(handle -> CredentialSql.noteUses(handle, uses));
  }

  @Override
  public Map<ApplicationId, Instant> lastUses(TenantId tenantId, Collection<ApplicationId> ids) {
    return database.run(handle -> CredentialSql.lastUses(handle, tenantId, ids));
  }
}
