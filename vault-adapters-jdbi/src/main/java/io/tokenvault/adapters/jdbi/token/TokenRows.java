package io.tokenvault.adapters.jdbi.token;

import static java.util.concurrent.TimeUnit.MICROSECONDS;

import io.tokenvault.adapters.jdbi.sql.EntryRows;
import io.tokenvault.adapters.jdbi.sql.SqlValues;
import io.tokenvault.adapters.jdbi.sql.StoredColumns;
import io.tokenvault.adapters.jdbi.sql.StoredJson;
import io.tokenvault.domain.access.Container;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.TokenHash;
import io.tokenvault.ports.store.model.EncryptedContent;
import io.tokenvault.ports.store.model.EncryptedContent.ShortLived;
import io.tokenvault.ports.store.model.NewToken;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jdbi.v3.core.argument.Argument;
import org.jdbi.v3.core.statement.Query;

/**
 * Inserts rows of tokens by one statement for any number of them: one array parameter for each
 * column.
 */
final class TokenRows {

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
          .formatted(ContentColumns.NAMES);

  /** Ends {@link #INSERT}: skips tokens whose id is taken and returns those that were stored. */
  static final String UNLESS_TAKEN =
      """
      ON CONFLICT (tenant_id, token_id) DO NOTHING
      RETURNING
      """
          + StoredColumns.TOKEN;

  private TokenRows() {}

  /**
   * Binds the parameters of {@link #INSERT} except {@code :tenants}, which {@link EntryRows} binds
   * with one element for each token.
   */
  static Query bind(Query query, List<NewToken> tokens) {
    query
        .bind("ids", texts(tokens, each -> each.id().value()))
        .bind("types", texts(tokens, each -> each.type().value()))
        .bind("containers", texts(tokens, each -> paths(each.settings().containers())))
        .bind("metadata", texts(tokens, each -> StoredJson.texts(each.settings().metadata())))
        .bind("expiresAt", SqlValues.times(values(tokens, TokenRows::expiry)))
        .bind("createdBy", SqlValues.uuids(values(tokens, NewToken::createdBy)));
    return bindContents(query, values(tokens, NewToken::content));
  }

  /** Binds the columns of the tokens' contents. */
  private static Query bindContents(Query query, List<EncryptedContent> contents) {
    bind(query, "data", "keyVersions", contents, each -> Optional.of(each.data()));
    bind(query, "shortLived", "shortLivedVersions", contents, TokenRows::shortLived);
    bind(query, "expressions", "expressionsVersions", contents, EncryptedContent::expressions);
    return query
        .bind("lifetimes", SqlValues.numbers(values(contents, TokenRows::lifetime)))
        .bind("fingerprints", texts(contents, each -> each.fingerprint().hex()))
        .bind(
            "fingerprintVersions",
            SqlValues.integers(values(contents, each -> each.fingerprint().keyVersion())))
        .bind("searchIndexes", texts(contents, each -> hashes(each.searchIndexes())))
        .bind("searchIndexVersions", SqlValues.integers(values(contents, TokenRows::indexVersion)));
  }

  /** Binds an array of encrypted values and one of their key versions. */
  private static void bind(
      Query query,
      String name,
      String versions,
      List<EncryptedContent> contents,
      Function<EncryptedContent, Optional<EncryptedValue>> field) {
    List<Optional<EncryptedValue>> fields = values(contents, field);
    query
        .bind(
            name, SqlValues.bytes(values(fields, each -> orNull(each, EncryptedValue::ciphertext))))
        .bind(
            versions,
            SqlValues.integers(values(fields, each -> orNull(each, EncryptedValue::keyVersion))));
  }

  private static Optional<EncryptedValue> shortLived(EncryptedContent content) {
    return content.shortLived().map(ShortLived::sealed);
  }

  private static Long lifetime(EncryptedContent content) {
    return orNull(content.shortLived(), each -> MICROSECONDS.convert(each.lifetime()));
  }

  private static Integer indexVersion(EncryptedContent content) {
    return orNull(content.searchIndexes().stream().findFirst(), TokenHash::keyVersion);
  }

  private static Instant expiry(NewToken token) {
    return token.settings().expiresAt().orElse(null);
  }

  private static <T, V> V orNull(Optional<T> value, Function<T, V> property) {
    return value.map(property).orElse(null);
  }

  private static String paths(List<Container> containers) {
    return containers.stream().map(Container::path).collect(Collectors.joining(","));
  }

  private static String hashes(List<TokenHash> hashes) {
    return hashes.stream().map(TokenHash::hex).collect(Collectors.joining(","));
  }

  /** Returns a column of strings. */
  private static <T> Argument texts(List<T> rows, Function<T, String> column) {
    return SqlValues.texts(values(rows, column));
  }

  /** Returns the value of each row, null where it has none. */
  private static <T, V> List<V> values(List<T> rows, Function<T, V> column) {
    return rows.stream().map(column).toList();
  }
}
