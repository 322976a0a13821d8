package io.tokenvault.adapters.jdbi.proxy;

import io.tokenvault.adapters.jdbi.application.CredentialSql;
import io.tokenvault.adapters.jdbi.sql.Database;
import io.tokenvault.adapters.jdbi.sql.EntryRows;
import io.tokenvault.adapters.jdbi.sql.FilteredQuery;
import io.tokenvault.adapters.jdbi.sql.FilteredQuery.Listing;
import io.tokenvault.adapters.jdbi.sql.StoredColumns;
import io.tokenvault.adapters.jdbi.sql.StoredRows;
import io.tokenvault.adapters.jdbi.tenant.JdbiKeys;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.proxy.ProxySettings;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.request.ExpectedVersion;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.Page;
import io.tokenvault.ports.store.PageRequest;
import io.tokenvault.ports.store.ProxyStore;
import io.tokenvault.ports.store.ProxyStore.NewProxy;
import io.tokenvault.ports.store.ProxyStore.ProxyFilter;
import io.tokenvault.ports.store.model.EncryptedTransform;
import io.tokenvault.ports.store.model.StoredProxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.SqlStatement;

/**
 * Pre-configured proxies in PostgreSQL.
 *
 * <p>A change locks the proxy's row, checks the version that the caller expects, and commits
 * together with its audit entry. Creating and updating a proxy also lock the tenant, whose data
 * keys must exist, and the application that the proxy uses, which must not be deleted meanwhile.
 *
 * <p>The secret parts of a proxy (its key, configuration and transforms) are encrypted by the
 * caller; this class stores and returns ciphertext only. An instance is safe for use by many
 * threads.
 */
public final class JdbiProxies implements ProxyStore {

  /** Lists proxies by the time of their creation; the id makes the order unique. */
  private static final Listing NEWEST_FIRST =
      new Listing(StoredColumns.PROXY_WITHIN_RESERVATION, "proxy", "created_at DESC, proxy_id");

  private final Database database;

  /** Creates the store, which takes part in the database's shared transaction if it has one. */
  public JdbiProxies(Database database) {
    this.database = database;
  }

  @Override
  public Change create(NewProxy proxy, AuditEntry entry) {
    return database.change(
        handle -> {
          // The proxy's encrypted values are useless without the tenant's data keys.
          JdbiKeys.requireKeys(handle, proxy.tenantId());
          if (!lockApplication(handle, proxy.tenantId(), proxy.settings().applicationId())) {
            return new Change.ApplicationMissing();
          }
          // The proxy, the hash of its key and the audit entry commit together or not at all.
          StoredProxy created = insert(handle, proxy);
          CredentialSql.add(
              handle, CredentialSql.PROXY, proxy.tenantId(), proxy.id().value(), proxy.keyHash());
          EntryRows.add(handle, entry);
          return new Change.Stored(created);
        });
  }

  /**
   * Locks the application that a proxy uses, so that it cannot be deleted until the proxy refers to
   * it.
   *
   * @param id the application, if the proxy uses one
   * @return false if the application does not exist or has expired
   */
  private static boolean lockApplication(
      Handle handle, TenantId tenantId, Optional<ApplicationId> id) {
    return id.isEmpty()
        || handle
            .createQuery(
                """
                SELECT 1 FROM application
                WHERE tenant_id = :tenant AND application_id = :id AND %s
                FOR KEY SHARE
                """
                    .formatted(StoredColumns.STILL_UNEXPIRED))
            .bind("tenant", tenantId.value())
            .bind("id", id.get().value())
            .mapTo(Integer.class)
            .findOne()
            .isPresent();
  }

  /**
   * Inserts a proxy without the hash of its key.
   *
   * @return the proxy with its version and time of creation, as the database set them
   */
  private static StoredProxy insert(Handle handle, NewProxy proxy) {
    Query query =
        handle
            .createQuery(
                """
                INSERT INTO proxy (
                  tenant_id, proxy_id, name, folded_name, destination_url, require_auth,
                  application_id, timeout_ms, client_certificate, key, key_version,
                  configuration, configuration_key_version,
                  request_transform, request_transform_key_version, request_transform_compiler,
                  response_transform, response_transform_key_version, response_transform_compiler,
                  created_by)
                VALUES (
                  :tenant, :id, :name, :foldedName, :url, :requireAuth, :application, :timeout,
                  :clientCertificate, :key, :keyVersion, :configuration, :configurationVersion,
                  :requestTransform, :requestTransformVersion, :requestTransformCompiler,
                  :responseTransform, :responseTransformVersion, :responseTransformCompiler,
                  :createdBy)
                RETURNING
                """
                    + StoredColumns.PROXY)
            .bind("tenant", proxy.tenantId().value())
            .bind("id", proxy.id().value())
            .bind("key", proxy.key().ciphertext())
            .bind("keyVersion", proxy.key().keyVersion())
            .bind("createdBy", proxy.createdBy());
    return bind(query, proxy.settings(), proxy.configuration(), proxy.transforms())
        .map(StoredRows::toProxy)
        .one();
  }

  /**
   * Binds the columns that both creating and updating write.
   *
   * @param transforms the transforms that are present; the columns of absent ones become NULL
   */
  private static Query bind(
      Query query,
      ProxySettings settings,
      EncryptedValue configuration,
      Map<TransformKind, EncryptedTransform> transforms) {
    bind(query, "requestTransform", Optional.ofNullable(transforms.get(TransformKind.REQUEST)));
    bind(query, "responseTransform", Optional.ofNullable(transforms.get(TransformKind.RESPONSE)));
    return query
        .bind("name", settings.name().value())
        .bind("foldedName", NamePattern.fold(settings.name().value()))
        .bind("url", settings.destinationUrl())
        .bind("requireAuth", settings.requireAuth())
        .bind("application", settings.applicationId().map(ApplicationId::value).orElse(null))
        .bind("timeout", settings.timeout().map(Duration::toMillis).orElse(null))
        .bind("clientCertificate", settings.clientCertificate().orElse(null))
        .bind("configuration", configuration.ciphertext())
        .bind("configurationVersion", configuration.keyVersion());
  }

  /**
   * Binds a transform, the version of its data key and its compiler, or NULL for all of them.
   *
   * @param name the name of the parameter for the ciphertext, and prefix of the other two
   */
  private static <S extends SqlStatement<S>> S bind(
      S statement, String name, Optional<EncryptedTransform> transform) {
    Optional<EncryptedValue> content = transform.map(EncryptedTransform::content);
    return statement
        .bind(name, content.map(EncryptedValue::ciphertext).orElse(null))
        .bind(name + "Version", content.map(EncryptedValue::keyVersion).orElse(null))
        .bind(name + "Compiler", transform.map(EncryptedTransform::compiler).orElse(null));
  }

  @Override
  public Optional<StoredProxy> find(TenantId tenantId, ProxyId id) {
    return database.run(
        handle ->
            handle
                .select(
                    "SELECT "
                        + StoredColumns.PROXY
                        + " FROM proxy WHERE tenant_id = ? AND proxy_id = ?",
                    tenantId.value(),
                    id.value())
                .map(StoredRows::toProxy)
                .findOne());
  }

  @Override
  public Page<StoredProxy> list(
      TenantId tenantId, ProxyFilter filter, PageRequest request, MemoryReservation reservation) {
    // Names are compared in their folded form, so that searches ignore case.
    FilteredQuery conditions =
        FilteredQuery.of(tenantId)
            .andIfUuids(filter.ids(), "proxy_id = ANY (%s)", ProxyId::value)
            .andIf(filter.name(), "folded_name LIKE %s", NamePattern::toLike);
    return database.run(
        handle -> conditions.page(handle, NEWEST_FIRST, request, StoredRows::toProxy, reservation));
  }

  @Override
  public Change update(
      TenantId tenantId,
      ProxyId id,
      ExpectedVersion expected,
      ProxySettings settings,
      EncryptedValue configuration,
      Map<TransformKind, EncryptedTransform> transforms,
      UUID modifiedBy,
      AuditEntry entry) {
    return database.change(
        handle -> {
          JdbiKeys.requireKeys(handle, tenantId);
          if (!lock(handle, tenantId, id, expected)) {
            return new Change.Absent();
          }
          if (!lockApplication(handle, tenantId, settings.applicationId())) {
            return new Change.ApplicationMissing();
          }
          // The row is locked and its version was checked, so the update cannot miss it.
          StoredProxy updated =
              update(handle, tenantId, id, settings, configuration, transforms, modifiedBy);
          EntryRows.add(handle, entry);
          return new Change.Stored(updated);
        });
  }

  /**
   * Locks a proxy until the transaction ends, so that its version does not change. Returns false if
   * it does not exist.
   *
   * @throws io.tokenvault.domain.failure.RefusedException if its version is not the expected one
   */
  private static boolean lock(
      Handle handle, TenantId tenantId, ProxyId id, ExpectedVersion expected) {
    Optional<Long> version =
        handle
            .select(
                """
                SELECT version FROM proxy
                WHERE tenant_id = ? AND proxy_id = ?
                FOR NO KEY UPDATE
                """,
                tenantId.value(),
                id.value())
            .mapTo(Long.class)
            .findOne();
    version.ifPresent(expected::require);
    return version.isPresent();
  }

  /** Updates a locked proxy and increases its version. */
  private static StoredProxy update(
      Handle handle,
      TenantId tenantId,
      ProxyId id,
      ProxySettings settings,
      EncryptedValue configuration,
      Map<TransformKind, EncryptedTransform> transforms,
      UUID modifiedBy) {
    Query query =
        handle
            .createQuery(
                """
                UPDATE proxy
                SET name = :name, folded_name = :foldedName, destination_url = :url,
                    require_auth = :requireAuth, application_id = :application,
                    timeout_ms = :timeout, client_certificate = :clientCertificate,
                    configuration = :configuration,
                    configuration_key_version = :configurationVersion,
                    request_transform = :requestTransform,
                    request_transform_key_version = :requestTransformVersion,
                    request_transform_compiler = :requestTransformCompiler,
                    response_transform = :responseTransform,
                    response_transform_key_version = :responseTransformVersion,
                    response_transform_compiler = :responseTransformCompiler,
                    modified_by = :modifiedBy, modified_at = clock_timestamp(),
                    version = version + 1
                WHERE tenant_id = :tenant AND proxy_id = :id
                RETURNING
                """
                    + StoredColumns.PROXY)
            .bind("tenant", tenantId.value())
            .bind("id", id.value())
            .bind("modifiedBy", modifiedBy);
    return bind(query, settings, configuration, transforms).map(StoredRows::toProxy).one();
  }

  @Override
  public boolean replaceCompiled(
      TenantId tenantId,
      ProxyId id,
      long version,
      TransformKind kind,
      EncryptedTransform transform) {
    // The version stays the same, since recompiling changes no setting.
    String statement =
        """
        UPDATE proxy
        SET %1$s = :transform, %1$s_key_version = :transformVersion,
            %1$s_compiler = :transformCompiler
        WHERE tenant_id = :tenant AND proxy_id = :id AND version = :version
          AND %1$s IS NOT NULL
        """
            .formatted(kind.property());
    return database.run(
            handle ->
                bind(handle.createUpdate(statement), "transform", Optional.of(transform))
                    .bind("tenant", tenantId.value())
                    .bind("id", id.value())
                    .bind("version", version)
                    .execute())
        > 0;
  }

  @Override
  public boolean delete(TenantId tenantId, ProxyId id, ExpectedVersion expected, AuditEntry entry) {
    return database.change(
        handle -> {
          boolean deleted = lock(handle, tenantId, id, expected);
          if (deleted) {
            handle.execute(
                "DELETE FROM proxy WHERE tenant_id = ? AND proxy_id = ?",
                tenantId.value(),
                id.value());
            // Without the hash, the proxy's key no longer authenticates.
            CredentialSql.remove(handle, tenantId, List.of(id.value()));
            EntryRows.add(handle, entry);
          }
          return deleted;
        });
  }

  /**
   * Search patterns for names: {@code *} matches any run of characters, all else is literal.
   *
   * <p>Searches ignore case. Stored names are folded by {@link #fold}, patterns by {@link #toLike}.
   */
  static final class NamePattern {

    private static final String ANY = "%";

    private NamePattern() {}

    /**
     * Returns the text with the case of each character removed. The length in characters stays the
     * same, unlike with {@link String#toLowerCase()}.
     */
    static String fold(String text) {
      StringBuilder folded = new StringBuilder(text.length());
      text.codePoints()
          .map(each -> Character.toLowerCase(Character.toUpperCase(each)))
          .forEach(folded::appendCodePoint);
      return folded.toString();
    }

    /**
     * Returns the operand of {@code LIKE} for folded names. A pattern without {@code *} matches
     * anywhere in a name.
     */
    static String toLike(String pattern) {
      String literal = fold(pattern).replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_");
      return pattern.indexOf('*') < 0 ? ANY + literal + ANY : literal.replace("*", ANY);
    }
  }
}
