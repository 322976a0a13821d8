package io.tokenvault.adapters.jdbi.token;

import io.tokenvault.adapters.jdbi.sql.ExpiryCondition;
import io.tokenvault.adapters.jdbi.sql.SqlValues;
import io.tokenvault.adapters.jdbi.sql.StoredColumns;
import io.tokenvault.adapters.jdbi.sql.StoredJson;
import io.tokenvault.adapters.jdbi.sql.StoredRow;
import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenSettings;
import io.tokenvault.ports.store.model.NewToken;
import io.tokenvault.ports.store.model.StoredToken;
import io.tokenvault.ports.store.model.TokenUpdate;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/** Writes rows of single tokens. */
final class TokenWrites {

  private static final String INSERT = TokenRows.INSERT + TokenRows.UNLESS_TAKEN;

  /**
   * Updates a token at a version. The new version comes from a sequence, so that an id that is
   * reused never repeats one.
   */
  private static final String UPDATE =
      """
      UPDATE token
      SET containers = :containers, metadata = :metadata::jsonb, expires_at = :expiresAt,
          modified_by = :modifiedBy, modified_at = clock_timestamp(),
          version = nextval('token_version')%s
      WHERE tenant_id = :tenant AND token_id = :id AND version = :version AND %s
      RETURNING
      """;

  /** Updates a token and keeps its content. */
  private static final String UPDATE_SETTINGS =
      UPDATE.formatted("", ExpiryCondition.STILL_UNEXPIRED) + StoredColumns.TOKEN;

  /** Updates a token together with its content. */
  private static final String UPDATE_ALL =
      UPDATE.formatted(
              ",\n    (%s) = ROW (%s)"
                  .formatted(ContentColumns.NAMES, ContentColumns.CHANGED_VALUES),
              ExpiryCondition.STILL_UNEXPIRED)
          + StoredColumns.TOKEN;

  private TokenWrites() {}

  /** Inserts a token; empty if its id is taken, even by an expired token. */
  static Optional<StoredToken> insert(Handle handle, NewToken token) {
    Query query =
        handle
            .createQuery(INSERT)
            .bind("tenants", SqlValues.uuids(List.of(token.tenantId().value())));
    return found(TokenRows.bind(query, List.of(token)));
  }

  /** Updates a token; empty if it does not exist at this version. */
  static Optional<StoredToken> update(
      Handle handle, TenantId tenantId, TokenId id, long version, TokenUpdate update) {
    Query query =
        handle
            .createQuery(update.content().isPresent() ? UPDATE_ALL : UPDATE_SETTINGS)
            .bind("tenant", tenantId.value())
            .bind("id", id.value())
            .bind("version", version)
            .bind("modifiedBy", update.modifiedBy());
    if (update.content().isPresent()) {
      ContentColumns.bind(query, update.content().get());
      query.bind("keepsTime", update.keepsShortLivedTime());
    }
    return stored(query, update.settings());
  }

  /** Binds the settings and runs the update. */
  private static Optional<StoredToken> stored(Query query, TokenSettings settings) {
    return found(
        query
            .bind(
                "containers",
                SqlValues.texts(settings.containers().stream().map(Container::path).toList()))
            .bind("metadata", StoredJson.texts(settings.metadata()))
            .bind("expiresAt", SqlValues.time(settings.expiresAt())));
  }

  private static Optional<StoredToken> found(Query query) {
    return query.map(StoredRow::read).findOne().map(StoredRow::toStoredToken);
  }

  /** Deletes a token; false if it does not exist at this version. */
  static boolean delete(Handle handle, TenantId tenantId, TokenId id, long version) {
    return handle
            .createUpdate(
                """
                DELETE FROM token
                WHERE tenant_id = :tenant AND token_id = :id AND version = :version AND %s
                """
                    .formatted(ExpiryCondition.STILL_UNEXPIRED))
            .bind("tenant", tenantId.value())
            .bind("id", id.value())
            .bind("version", version)
            .execute()
        > 0;
  }

  /** Deletes the token with this id if it has expired, and returns it. */
  static Optional<Token> deleteExpired(Handle handle, TenantId tenantId, TokenId id) {
    return handle
        .createQuery(
            """
            DELETE FROM token
            WHERE tenant_id = :tenant AND token_id = :id AND expires_at <= clock_timestamp()
            RETURNING
            """
                + StoredColumns.TOKEN_WITHOUT_DATA)
        .bind("tenant", tenantId.value())
        .bind("id", id.value())
        .map(StoredRow::read)
        .findOne()
        .map(StoredRow::toToken);
  }
}
