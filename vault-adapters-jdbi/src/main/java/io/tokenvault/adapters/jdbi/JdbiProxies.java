package io.tokenvault.adapters.jdbi;

import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.proxy.ProxySettings;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.request.ExpectedVersion;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.spi.MemoryReservation;
import io.tokenvault.ports.spi.NewProxy;
import io.tokenvault.ports.spi.Page;
import io.tokenvault.ports.spi.PageRequest;
import io.tokenvault.ports.spi.ProxyFilter;
import io.tokenvault.ports.spi.ProxyStore;
import io.tokenvault.ports.spi.Sealed;
import io.tokenvault.ports.spi.SealedTransform;
import io.tokenvault.ports.spi.StoredProxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.SqlStatement;

/** Pre-configured proxies in PostgreSQL. */
final class JdbiProxies implements ProxyStore {

  private static final Paging NEWEST_FIRST =
      new Paging(StoredColumns.PROXY_WITHIN_ROOM, "proxy", "created_at DESC, proxy_id");

  private final Database database;

  JdbiProxies(Database database) {
    this.database = database;
  }

  @Override
  public Change create(NewProxy proxy, AuditEntry entry) {
    return database.change(
        handle -> {
          JdbiKeys.requireKeys(handle, proxy.tenantId());
          if (!holdApplication(handle, proxy.tenantId(), proxy.settings().applicationId())) {
            return new Change.ApplicationMissing();
          }
          StoredProxy created = insert(handle, proxy);
          Credentials.add(
              handle, Credentials.PROXY, proxy.tenantId(), proxy.id().value(), proxy.keyHash());
          Entries.add(handle, entry);
          return new Change.Stored(created);
        });
  }

  /** Keeps the application from being deleted until the proxy names it; false if it is gone. */
  private static boolean holdApplication(
      Handle handle, TenantId tenantId, Optional<ApplicationId> id) {
    return id.isEmpty()
        || handle
            .createQuery(
                """
                SELECT 1 FROM application
                WHERE tenant_id = :tenant AND application_id = :id AND %s
                FOR KEY SHARE
                """
                    .formatted(Expiry.STILL_UNEXPIRED))
            .bind("tenant", tenantId.value())
            .bind("id", id.get().value())
            .mapTo(Integer.class)
            .findOne()
            .isPresent();
  }

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
        .map(StoredRow::read)
        .one()
        .toProxy();
  }

  private static Query bind(
      Query query,
      ProxySettings settings,
      Sealed configuration,
      Map<TransformKind, SealedTransform> transforms) {
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

  private static <S extends SqlStatement<S>> S bind(
      S statement, String name, Optional<SealedTransform> transform) {
    Optional<Sealed> content = transform.map(SealedTransform::content);
    return statement
        .bind(name, content.map(Sealed::ciphertext).orElse(null))
        .bind(name + "Version", content.map(Sealed::keyVersion).orElse(null))
        .bind(name + "Compiler", transform.map(SealedTransform::compiler).orElse(null));
  }

  @Override
  public Optional<StoredProxy> find(TenantId tenantId, ProxyId id) {
    return database.run(
        handle ->
            handle
                .createQuery(
                    "SELECT "
                        + StoredColumns.PROXY
                        + " FROM proxy WHERE tenant_id = :tenant AND proxy_id = :id")
                .bind("tenant", tenantId.value())
                .bind("id", id.value())
                .map(StoredRow::read)
                .findOne()
                .map(StoredRow::toProxy));
  }

  @Override
  public Page<StoredProxy> list(
      TenantId tenantId, ProxyFilter filter, PageRequest request, MemoryReservation room) {
    Set<UUID> ids = filter.ids().stream().map(ProxyId::value).collect(Collectors.toSet());
    Filter conditions =
        Filter.of(tenantId)
            .andIfUuids(ids, "proxy_id = ANY (%s)")
            .andIf(filter.name(), "folded_name LIKE %s", NamePattern::toLike);
    return database
        .run(handle -> new SealedPages(handle, NEWEST_FIRST, conditions, request).read(room))
        .map(StoredRow::toProxy);
  }

  @Override
  public Change update(
      TenantId tenantId,
      ProxyId id,
      ExpectedVersion expected,
      ProxySettings settings,
      Sealed configuration,
      Map<TransformKind, SealedTransform> transforms,
      UUID modifiedBy,
      AuditEntry entry) {
    return database.change(
        handle -> {
          JdbiKeys.requireKeys(handle, tenantId);
          if (!hold(handle, tenantId, id, expected)) {
            return new Change.Absent();
          }
          if (!holdApplication(handle, tenantId, settings.applicationId())) {
            return new Change.ApplicationMissing();
          }
          StoredProxy updated =
              update(handle, tenantId, id, settings, configuration, transforms, modifiedBy);
          Entries.add(handle, entry);
          return new Change.Stored(updated);
        });
  }

  /** Makes others who change the proxy wait: the version stays what it is. False if it is gone. */
  private static boolean hold(
      Handle handle, TenantId tenantId, ProxyId id, ExpectedVersion expected) {
    Optional<Long> version =
        handle
            .createQuery(
                """
                SELECT version FROM proxy
                WHERE tenant_id = :tenant AND proxy_id = :id
                FOR NO KEY UPDATE
                """)
            .bind("tenant", tenantId.value())
            .bind("id", id.value())
            .mapTo(Long.class)
            .findOne();
    version.ifPresent(expected::require);
    return version.isPresent();
  }

  private static StoredProxy update(
      Handle handle,
      TenantId tenantId,
      ProxyId id,
      ProxySettings settings,
      Sealed configuration,
      Map<TransformKind, SealedTransform> transforms,
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
    return bind(query, settings, configuration, transforms).map(StoredRow::read).one().toProxy();
  }

  @Override
  public boolean replaceCompiled(
      TenantId tenantId, ProxyId id, long version, TransformKind kind, SealedTransform transform) {
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
          boolean deleted = hold(handle, tenantId, id, expected);
          if (deleted) {
            remove(handle, tenantId, id);
            Credentials.remove(handle, tenantId, List.of(id.value()));
            Entries.add(handle, entry);
          }
          return deleted;
        });
  }

  private static void remove(Handle handle, TenantId tenantId, ProxyId id) {
    handle
        .createUpdate("DELETE FROM proxy WHERE tenant_id = :tenant AND proxy_id = :id")
        .bind("tenant", tenantId.value())
        .bind("id", id.value())
        .execute();
  }
}
