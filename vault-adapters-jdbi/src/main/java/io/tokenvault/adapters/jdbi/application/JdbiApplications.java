package io.tokenvault.adapters.jdbi.application;

import io.tokenvault.adapters.jdbi.sql.Database;
import io.tokenvault.adapters.jdbi.sql.EntryRows;
import io.tokenvault.adapters.jdbi.sql.FilteredQuery;
import io.tokenvault.adapters.jdbi.sql.FilteredQuery.Listing;
import io.tokenvault.adapters.jdbi.sql.SqlValues;
import io.tokenvault.adapters.jdbi.sql.StoredColumns;
import io.tokenvault.adapters.jdbi.sql.StoredJson;
import io.tokenvault.adapters.jdbi.sql.StoredRows;
import io.tokenvault.domain.access.ApplicationType;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.application.ApplicationDraft;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.application.ApplicationSettings;
import io.tokenvault.domain.application.KeyGrace;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.proxy.ProxyId;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/**
 * Applications in PostgreSQL.
 *
 * <p>A change locks the application's row, checks the version that the caller expects, and commits
 * together with its audit entry. Expired applications are invisible even before they are deleted.
 *
 * <p>Reads compare expiry with the start of the statement's transaction, changes with the current
 * time, because a change may have waited for the lock; see {@link StoredColumns#STILL_UNEXPIRED}.
 * Only an application that no proxy uses is deleted. An instance is safe for use by many threads.
 */
public final class JdbiApplications implements ApplicationStore {

  /** Lists applications by the time of their creation; the id makes the order unique. */
  private static final Listing NEWEST_FIRST =
      new Listing(
          StoredColumns.APPLICATION_WITHIN_RESERVATION,
          "application",
          "created_at DESC, application_id");

  /** Updates a locked application and increases its version, unless it has expired. */
  private static final String UPDATE =
      """
      UPDATE application
      SET %s modified_by = :modifiedBy, modified_at = clock_timestamp(), version = version + 1
      WHERE tenant_id = :tenant AND application_id = :id AND %s
      RETURNING %s
      """;

  private static final String UPDATE_SETTINGS =
      UPDATE.formatted(
          """
          name = :name, permissions = :permissions, rules = :rules::jsonb,
          can_create_expiring = :canCreateExpiring,\
          """,
          StoredColumns.STILL_UNEXPIRED,
          StoredColumns.APPLICATION);

  /** Records a modification that changes no setting. */
  private static final String TOUCH =
      UPDATE.formatted("", StoredColumns.STILL_UNEXPIRED, StoredColumns.APPLICATION);

  /**
   * Deletes expired applications of any tenant, except those that another node is deleting or that
   * a proxy uses.
   */
  private static final String DELETE_EXPIRED =
      """
      WITH due AS MATERIALIZED (
        SELECT tenant_id AS due_tenant, application_id AS due_application
        FROM application AS each
        WHERE expires_at <= now() AND NOT EXISTS (
          SELECT 1 FROM proxy
          WHERE proxy.tenant_id = each.tenant_id AND proxy.application_id = each.application_id)
        ORDER BY expires_at
        LIMIT ?
        FOR UPDATE SKIP LOCKED)
      DELETE FROM application USING due
      WHERE tenant_id = due_tenant AND application_id = due_application
      RETURNING
      """
          + StoredColumns.APPLICATION;

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
    ApplicationDraft.Valid draft = application.draft();
    Query query =
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
            .bind("type", draft.type().value())
            .bind("expiresAt", SqlValues.time(draft.expiresAt()))
            .bind("delegatedBy", draft.delegatedBy().map(ApplicationId::value).orElse(null))
            .bind("createdBy", application.createdBy().orElse(null));
    bind(query, draft.settings());
    Application created = one(query, application.tenantId(), application.id()).orElseThrow();
    CredentialSql.add(
        handle,
        CredentialSql.API,
        application.tenantId(),
        application.id().value(),
        application.keyHash());
    return created;
  }

  /** Binds the columns that both creating and updating write. */
  private static Query bind(Query query, ApplicationSettings settings) {
    return query
        .bind("name", settings.name().value())
        .bind("permissions", SqlValues.texts(settings.policy().permissions(), Permission::type))
        .bind("rules", StoredJson.rules(settings.policy().rules()))
        .bind("canCreateExpiring", settings.canCreateExpiring().orElse(null));
  }

  /** Runs a query for one application; empty if it finds none. */
  private static Optional<Application> one(Query query, TenantId tenantId, ApplicationId id) {
    return query
        .bind("tenant", tenantId.value())
        .bind("id", id.value())
        .map(StoredRows::toApplication)
        .findOne();
  }

  @Override
  public Optional<Application> find(TenantId tenantId, ApplicationId id) {
    String sql =
        "SELECT %s FROM application WHERE tenant_id = :tenant AND application_id = :id AND %s"
            .formatted(StoredColumns.APPLICATION, StoredColumns.UNEXPIRED);
    return database.run(handle -> one(handle.createQuery(sql), tenantId, id));
  }

  @Override
  public Page<Application> list(
      TenantId tenantId,
      ApplicationFilter filter,
      PageRequest request,
      MemoryReservation reservation) {
    // An empty set in the filter does not restrict the list.
    FilteredQuery conditions =
        FilteredQuery.of(tenantId)
            .and(StoredColumns.UNEXPIRED)
            .andIfUuids(filter.ids(), "application_id = ANY (%s)", ApplicationId::value)
            .andIfTexts(filter.types(), "type = ANY (%s)", ApplicationType::value);
    return database.run(
        handle ->
            conditions.page(handle, NEWEST_FIRST, request, StoredRows::toApplication, reservation));
  }

  @Override
  public Optional<Application> update(
      TenantId tenantId,
      ApplicationId id,
      ExpectedVersion expected,
      ApplicationSettings settings,
      Optional<UUID> modifiedBy,
      AuditEntry entry) {
    return change(
        tenantId,
        id,
        expected,
        handle -> {
          Query query = bind(handle.createQuery(UPDATE_SETTINGS), settings);
          return one(query.bind("modifiedBy", modifiedBy.orElse(null)), tenantId, id);
        },
        entry);
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
    return change(
        tenantId,
        id,
        expected,
        handle -> {
          // A new key is a change of the application, so its version increases and If-Match
          // applies.
          Query query = handle.createQuery(TOUCH).bind("modifiedBy", modifiedBy.orElse(null));
          Optional<Application> touched = one(query, tenantId, id);
          touched.ifPresent(
              unused -> CredentialSql.replace(handle, tenantId, id.value(), keyHash, grace));
          return touched;
        },
        entry);
  }

  /**
   * Changes a locked application and records that; empty if it does not exist, or has expired while
   * the transaction waited for the lock.
   */
  private Optional<Application> change(
      TenantId tenantId,
      ApplicationId id,
      ExpectedVersion expected,
      Function<Handle, Optional<Application>> change,
      AuditEntry entry) {
    return database.change(
        handle -> {
          Optional<Application> changed =
              lock(handle, tenantId, id, expected) ? change.apply(handle) : Optional.empty();
          changed.ifPresent(unused -> EntryRows.add(handle, entry));
          return changed;
        });
  }

  @Override
  public Deletion delete(
      TenantId tenantId, ApplicationId id, ExpectedVersion expected, AuditEntry entry) {
    return database.change(
        handle -> {
          if (!lock(handle, tenantId, id, expected)) {
            return new Deletion.Absent();
          }
          // Under the lock, no proxy that uses the application can be created.
          List<ProxyId> proxies = proxiesThatUse(handle, tenantId, id);
          if (!proxies.isEmpty()) {
            return new Deletion.NamedByProxies(proxies);
          }
          CredentialSql.remove(handle, tenantId, List.of(id.value()));
          handle.execute(
              "DELETE FROM application WHERE tenant_id = ? AND application_id = ?",
              tenantId.value(),
              id.value());
          EntryRows.add(handle, entry);
          return new Deletion.Deleted();
        });
  }

  private static List<ProxyId> proxiesThatUse(Handle handle, TenantId tenantId, ApplicationId id) {
    return handle
        .select(
            """
            SELECT proxy_id FROM proxy WHERE tenant_id = ? AND application_id = ? ORDER BY proxy_id
            """,
            tenantId.value(),
            id.value())
        .mapTo(UUID.class)
        .map(ProxyId::new)
        .list();
  }

  /**
   * Locks an application until the transaction ends, after waiting for transactions that change it
   * or create a proxy that uses it. Returns false if it does not exist.
   *
   * @throws io.tokenvault.domain.failure.RefusedException if its version is not the expected one
   */
  private static boolean lock(
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
    return database.change(
        handle -> {
          List<Application> removed =
              handle.select(DELETE_EXPIRED, limit).map(StoredRows::toApplication).list();
          idsByTenant(removed)
              .forEach((tenantId, ids) -> CredentialSql.remove(handle, tenantId, ids));
          EntryRows.add(handle, removed.stream().map(entry).toList());
          return removed.size();
        });
  }

  private static Map<TenantId, List<UUID>> idsByTenant(List<Application> applications) {
    return applications.stream()
        .collect(
            Collectors.groupingBy(
                Application::tenantId,
                Collectors.mapping(each -> each.id().value(), Collectors.toList())));
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
