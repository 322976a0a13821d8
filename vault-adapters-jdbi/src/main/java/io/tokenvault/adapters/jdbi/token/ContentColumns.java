package io.tokenvault.adapters.jdbi.token;

import static java.util.concurrent.TimeUnit.MICROSECONDS;

import io.tokenvault.adapters.jdbi.sql.SqlValues;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.TokenHash;
import io.tokenvault.ports.store.model.EncryptedContent;
import io.tokenvault.ports.store.model.EncryptedContent.ShortLived;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.statement.Query;

/** The columns of a token's content, which are always written together. */
final class ContentColumns {

  /** The names of the columns, in the order of {@link #CHANGED_VALUES}. */
  static final String NAMES =
      """
      data, key_version, short_lived, short_lived_key_version, short_lived_until, expressions,
      expressions_key_version, fingerprint, fingerprint_key_version, search_indexes,
      search_index_key_version\
      """;

  /**
   * The values for a token that exists. With {@code :keepsTime}, a short-lived part keeps its end.
   */
  static final String CHANGED_VALUES =
      """
      :data::bytea, :keyVersion::integer, :shortLived::bytea, :shortLivedVersion::integer,
      CASE WHEN :lifetime::bigint IS NULL THEN NULL
           WHEN :keepsTime THEN coalesce(short_lived_until, clock_timestamp())
           ELSE clock_timestamp() + :lifetime::bigint * interval '1 microsecond' END,
      :expressions::bytea, :expressionsVersion::integer, :fingerprint::text,
      :fingerprintVersion::integer, :searchIndexes::text[], :searchIndexVersion::integer\
      """;

  private ContentColumns() {}

  /** Binds the parameters of {@link #CHANGED_VALUES} except {@code :keepsTime}. */
  static void bind(Query query, EncryptedContent content) {
    Optional<EncryptedValue> shortLived = content.shortLived().map(ShortLived::sealed);
    bind(query, "data", "keyVersion", Optional.of(content.data()));
    bind(query, "shortLived", "shortLivedVersion", shortLived);
    bind(query, "expressions", "expressionsVersion", content.expressions());
    query
        .bind(
            "lifetime",
            content.shortLived().map(each -> MICROSECONDS.convert(each.lifetime())).orElse(null))
        .bind("fingerprint", content.fingerprint().hex())
        .bind("fingerprintVersion", content.fingerprint().keyVersion());
    bindIndexes(query, content.searchIndexes());
  }

  /** Binds an encrypted value and the version of its key, or NULL for both. */
  private static void bind(
      Query query, String name, String version, Optional<EncryptedValue> field) {
    query
        .bind(name, field.map(EncryptedValue::ciphertext).orElse(null))
        .bind(version, field.map(EncryptedValue::keyVersion).orElse(null));
  }

  /** Binds the search indexes; all of them are hashed with the current key. */
  private static void bindIndexes(Query query, List<TokenHash> indexes) {
    query
        .bind("searchIndexes", SqlValues.texts(indexes.stream().map(TokenHash::hex).toList()))
        .bind(
            "searchIndexVersion",
            indexes.stream().findFirst().map(TokenHash::keyVersion).orElse(null));
  }
}
