package io.tokenvault.adapters.jdbi;

import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.access.TokenScope;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenSettings;
import io.tokenvault.domain.token.TokenType;
import io.tokenvault.ports.spi.NewToken;
import io.tokenvault.ports.spi.Page;
import io.tokenvault.ports.spi.PageRequest;
import io.tokenvault.ports.spi.StoredToken;
import io.tokenvault.ports.spi.TokenFilter;
import io.tokenvault.ports.spi.TokenStore;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/** Tokens in PostgreSQL. */
final class JdbiTokens implements TokenStore {

  private static final Paging NEWEST_FIRST =
      new Paging(StoredRow.TOKEN, "token", "created_at DESC, token_id");

  private static final String METADATA_ENTRY = "metadata @> jsonb_build_object(%s::text, %s::text)";

  private final Database database;

  JdbiTokens(Database database) {
    this.database = database;
  }

  @Override
  public Optional<Token> create(
      NewToken token, AuditEntry entry, Function<Token, AuditEntry> expiry) {
    return database.change(
        handle -> {
          Optional<Token> created =
              insert(handle, token).or(() -> insertInPlaceOfExpired(handle, token, expiry));
          created.ifPresent(unused -> Entries.add(handle, entry));
          return created;
        });
  }

  private static Optional<Token> insertInPlaceOfExpired(
      Handle handle, NewToken token, Function<Token, AuditEntry> expiry) {
    removeExpired(handle, token.tenantId(), token.id())
        .ifPresent(expired -> Entries.add(handle, expiry.apply(expired)));
    return insert(handle, token);
  }

  private static Optional<Token> removeExpired(Handle handle, TenantId tenantId, TokenId id) {
    return handle
        .createQuery(
            """
            DELETE FROM token
            WHERE tenant_id = :tenant AND token_id = :id AND expires_at <= clock_timestamp()
            RETURNING
            """
                + StoredRow.TOKEN_WITHOUT_DATA)
        .bind("tenant", tenantId.value())
        .bind("id", id.value())
        .map(StoredRow::read)
        .findOne()
        .map(StoredRow::toToken);
  }

  /** Empty if the id is taken. */
  private static Optional<Token> insert(Handle handle, NewToken token) {
    TokenSettings settings = token.settings();
    return handle
        .createQuery(
            """
            INSERT INTO token (
              tenant_id, token_id, type, containers, metadata, data, key_version, expires_at,
              created_by)
            VALUES (
              :tenant, :id, :type, :containers, :metadata::jsonb, :data, :keyVersion, :expiresAt,
              :createdBy)
            ON CONFLICT (tenant_id, token_id) DO NOTHING
            RETURNING
            """
                + StoredRow.TOKEN)
        .bind("tenant", token.tenantId().value())
        .bind("id", token.id().value())
        .bind("type", token.type().value())
        .bind(
            "containers",
            SqlValues.texts(settings.containers().stream().map(Container::path).toList()))
        .bind("metadata", StoredJson.texts(settings.metadata()))
        .bind("data", token.data().ciphertext())
        .bind("keyVersion", token.data().keyVersion())
        .bind("expiresAt", SqlValues.time(settings.expiresAt()))
        .bind("createdBy", token.createdBy())
        .map(StoredRow::read)
        .findOne()
        .map(StoredRow::toToken);
  }

  @Override
  public Page<StoredToken> list(
      TenantId tenantId, TokenFilter filter, TokenScope scope, PageRequest request) {
    Filter conditions = ScopeSql.restrict(conditions(tenantId, filter), scope);
    return database
        .run(handle -> NEWEST_FIRST.page(handle, conditions, request, StoredRow::read))
        .map(StoredRow::toStoredToken);
  }

  private static Filter conditions(TenantId tenantId, TokenFilter filter) {
    Set<String> ids = filter.ids().stream().map(TokenId::value).collect(Collectors.toSet());
    Set<String> types = filter.types().stream().map(TokenType::value).collect(Collectors.toSet());
    Filter conditions =
        Filter.of(tenantId)
            .and(Expiry.UNEXPIRED)
            .andIfTexts(ids, "token_id = ANY (%s)")
            .andIfTexts(types, "type = ANY (%s)")
            .andIf(filter.container(), ScopeSql.SOME_CONTAINER_STARTS_WITH, Container::path);
    filter
        .metadata()
        .forEach((key, value) -> conditions.and(conditions.condition(METADATA_ENTRY, key, value)));
    return conditions;
  }

  @Override
  public boolean delete(TenantId tenantId, TokenId id, long version, AuditEntry entry) {
    return database.change(
        handle -> {
          boolean deleted = remove(handle, tenantId, id, version);
          if (deleted) {
            Entries.add(handle, entry);
          }
          return deleted;
        });
  }

  private static boolean remove(Handle handle, TenantId tenantId, TokenId id, long version) {
    return handle
            .createUpdate(
                """
                DELETE FROM token
                WHERE tenant_id = :tenant AND token_id = :id AND version = :version AND %s
                """
                    .formatted(Expiry.STILL_UNEXPIRED))
            .bind("tenant", tenantId.value())
            .bind("id", id.value())
            .bind("version", version)
            .execute()
        > 0;
  }

  @Override
  public int deleteExpired(int limit, Function<Token, AuditEntry> entry) {
    return database.change(
        handle -> {
          List<Token> deleted = removeExpired(handle, limit);
          Entries.add(handle, deleted.stream().map(entry).toList());
          return deleted.size();
        });
  }

  /** Of any tenant; one that another node is deleting is left out. The data are not read. */
  private static List<Token> removeExpired(Handle handle, int limit) {
    return handle
        .createQuery(
            """
            WITH due AS MATERIALIZED (
              SELECT tenant_id AS due_tenant, token_id AS due_token
              FROM token
              WHERE expires_at <= now()
              ORDER BY expires_at
              LIMIT :limit
              FOR UPDATE SKIP LOCKED)
            DELETE FROM token USING due
            WHERE tenant_id = due_tenant AND token_id = due_token
            RETURNING
            """
                + StoredRow.TOKEN_WITHOUT_DATA)
        .bind("limit", limit)
        .map(StoredRow::read)
        .map(StoredRow::toToken)
        .list();
  }
}
