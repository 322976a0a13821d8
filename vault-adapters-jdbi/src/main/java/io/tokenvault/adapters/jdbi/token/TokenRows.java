package io.tokenvault.adapters.jdbi.token;

import static java.util.concurrent.TimeUnit.MICROSECONDS;

import io.tokenvault.adapters.jdbi.sql.EntryRows;
import io.tokenvault.adapters.jdbi.sql.SqlValues;
import io.tokenvault.adapters.jdbi.sql.StoredColumns;
import io.tokenvault.adapters.jdbi.sql.StoredJson;
import io.tokenvault.adapters.jdbi.sql.StoredRows;
import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenSettings;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.TokenHash;
import io.tokenvault.ports.store.TokenStore.NewToken;
import io.tokenvault.ports.store.TokenStore.TokenUpdate;
import io.tokenvault.ports.store.model.EncryptedContent;
import io.tokenvault.ports.store.model.EncryptedContent.ShortLived;
import io.tokenvault.ports.store.model.StoredToken;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/**
 * Writes rows of tokens. Any number of them is inserted by one statement, with one array parameter
 * for each column.
 */
final class TokenRows {

  /** The columns of a token's content, which are always written together. */
  private static final String CONTENT =
      """
      data, key_version, short_lived, short_lived_key_version, short_lived_until, expressions,
      expressions_key_version, fingerprint, fingerprint_key_version, search_indexes,
      search_index_key_version\
      """;

  /**
   * The content of a token that exists. With {@code :keepsTime}, a short-lived part keeps its end.
   */
  private static final String CHANGED_CONTENT =
      """
      (:data::bytea[])[1], (:keyVersions::integer[])[1], (:shortLived::bytea[])[1],
      (:shortLivedVersions::integer[])[1],
      CASE WHEN (:lifetimes::bigint[])[1] IS NULL THEN NULL
           WHEN :keepsTime THEN coalesce(short_lived_until, clock_timestamp())
           ELSE clock_timestamp() + (:lifetimes::bigint[])[1] * interval '1 microsecond' END,
      (:expressions::bytea[])[1], (:expressionsVersions::integer[])[1],
      (:fingerprints::text[])[1], (:fingerprintVersions::integer[])[1],
      string_to_array((:searchIndexes::text[])[1], ','), (:searchIndexVersions::integer[])[1]\
      """;

  /**
   * Inserts tokens; further conditions may follow. Lists within a row are bound as one string,
   * since their elements contain no comma.
   */
  static final String INSERT =
      """
      INSERT INTO token (tenant_id, token_id, type, containers, metadata, expires_at, created_by, %s)
      SELECT
        tenant_id, token_id, type, string_to_array(containers, ','), metadata::jsonb, expires_at,
        created_by, data, key_version, short_lived, short_lived_key_version,
        clock_timestamp() + lifetime * interval '1 microsecond', expressions,
        expressions_key_version, fingerprint, fingerprint_key_version,
        string_to_array(search_indexes, ','), search_index_key_version
      FROM unnest(
             :tenants::uuid[], :ids::text[], :types::text[], :containers::text[],
             :metadata::text[], :expiresAt::timestamptz[], :createdBy::uuid[], :data::bytea[],
             :keyVersions::integer[], :shortLived::bytea[], :shortLivedVersions::integer[],
             :lifetimes::bigint[], :expressions::bytea[], :expressionsVersions::integer[],
             :fingerprints::text[], :fingerprintVersions::integer[], :searchIndexes::text[],
             :searchIndexVersions::integer[]) WITH ORDINALITY
           AS wanted (
             tenant_id, token_id, type, containers, metadata, expires_at, created_by, data,
             key_version, short_lived, short_lived_key_version, lifetime, expressions,
             expressions_key_version, fingerprint, fingerprint_key_version, search_indexes,
             search_index_key_version, place)
      """
          .formatted(CONTENT);

  /** Ends {@link #INSERT}: skips tokens whose id is taken and returns those that were stored. */
  static final String UNLESS_TAKEN =
      """
      ON CONFLICT (tenant_id, token_id) DO NOTHING
      RETURNING
      """
          + StoredColumns.TOKEN;

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
      UPDATE.formatted("", StoredColumns.STILL_UNEXPIRED) + StoredColumns.TOKEN;

  private static final String UPDATE_ALL =
      UPDATE.formatted(
              ",\n    (%s) = ROW (%s)".formatted(CONTENT, CHANGED_CONTENT),
              StoredColumns.STILL_UNEXPIRED)
          + StoredColumns.TOKEN;

  private TokenRows() {}

  /**
   * Binds the parameters of {@link #INSERT} except {@code :tenants}, which {@link EntryRows} binds
   * with one element for each token.
   */
  static Query bind(Query query, List<NewToken> tokens) {
    query
        .bind("ids", SqlValues.texts(tokens, each -> each.id().value()))
        .bind("types", SqlValues.texts(tokens, each -> each.type().value()))
        .bind(
            "containers",
            SqlValues.texts(tokens, each -> joined(each.settings().containers(), Container::path)))
        .bind(
            "metadata",
            SqlValues.texts(tokens, each -> StoredJson.texts(each.settings().metadata())))
        .bind(
            "expiresAt", SqlValues.times(tokens, each -> each.settings().expiresAt().orElse(null)))
        .bind("createdBy", SqlValues.uuids(tokens, NewToken::createdBy));
    return bindContents(query, tokens.stream().map(NewToken::content).toList());
  }

  /** Binds the columns of the tokens' contents. */
  private static Query bindContents(Query query, List<EncryptedContent> contents) {
    bind(query, "data", "keyVersions", contents, each -> Optional.of(each.data()));
    bind(
        query,
        "shortLived",
        "shortLivedVersions",
        contents,
        each -> each.shortLived().map(ShortLived::encrypted));
    bind(query, "expressions", "expressionsVersions", contents, EncryptedContent::expressions);
    return query
        .bind("lifetimes", SqlValues.numbers(contents, TokenRows::lifetime))
        .bind("fingerprints", SqlValues.texts(contents, each -> each.fingerprint().hex()))
        .bind(
            "fingerprintVersions",
            SqlValues.integers(contents, each -> each.fingerprint().keyVersion()))
        .bind(
            "searchIndexes",
            SqlValues.texts(contents, each -> joined(each.searchIndexes(), TokenHash::hex)))
        .bind(
            "searchIndexVersions",
            SqlValues.integers(
                contents,
                each -> orNull(each.searchIndexes().stream().findFirst(), TokenHash::keyVersion)));
  }

  /** Binds an array of encrypted values and one of their key versions. */
  private static void bind(
      Query query,
      String name,
      String versions,
      List<EncryptedContent> contents,
      Function<EncryptedContent, Optional<EncryptedValue>> field) {
    query
        .bind(
            name,
            SqlValues.bytes(
                contents, each -> orNull(field.apply(each), EncryptedValue::ciphertext)))
        .bind(
            versions,
            SqlValues.integers(
                contents, each -> orNull(field.apply(each), EncryptedValue::keyVersion)));
  }

  private static Long lifetime(EncryptedContent content) {
    return orNull(content.shortLived(), each -> MICROSECONDS.convert(each.lifetime()));
  }

  private static <T, V> V orNull(Optional<T> value, Function<T, V> property) {
    return value.map(property).orElse(null);
  }

  /** Joins the elements of a list within a row; see {@link #INSERT}. */
  private static <T> String joined(List<T> elements, Function<T, String> text) {
    return elements.stream().map(text).collect(Collectors.joining(","));
  }

  /** Inserts a token; empty if its id is taken, even by an expired token. */
  static Optional<StoredToken> insert(Handle handle, NewToken token) {
    Query query =
        handle
            .createQuery(INSERT + UNLESS_TAKEN)
            .bind("tenants", SqlValues.uuids(List.of(token.tenantId().value())));
    return found(bind(query, List.of(token)));
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
      bindContents(query, List.of(update.content().get()));
      query.bind("keepsTime", update.keepsShortLivedTime());
    }
    TokenSettings settings = update.settings();
    return found(
        query
            .bind("containers", SqlValues.texts(settings.containers(), Container::path))
            .bind("metadata", StoredJson.texts(settings.metadata()))
            .bind("expiresAt", SqlValues.time(settings.expiresAt())));
  }

  private static Optional<StoredToken> found(Query query) {
    return query.map(StoredRows::toStoredToken).findOne();
  }

  /** Deletes a token; false if it does not exist at this version. */
  static boolean delete(Handle handle, TenantId tenantId, TokenId id, long version) {
    return handle
            .createUpdate(
                """
                DELETE FROM token
                WHERE tenant_id = :tenant AND token_id = :id AND version = :version AND %s
                """
                    .formatted(StoredColumns.STILL_UNEXPIRED))
            .bind("tenant", tenantId.value())
            .bind("id", id.value())
            .bind("version", version)
            .execute()
        > 0;
  }

  /** Deletes the token with this id if it has expired, and returns it. */
  static Optional<Token> deleteExpired(Handle handle, TenantId tenantId, TokenId id) {
    return handle
        .select(
            """
            DELETE FROM token
            WHERE tenant_id = ? AND token_id = ? AND expires_at <= clock_timestamp()
            RETURNING
            """
                + StoredColumns.TOKEN_WITHOUT_DATA,
            tenantId.value(),
            id.value())
        .map(StoredRows::toToken)
        .findOne();
  }
}
