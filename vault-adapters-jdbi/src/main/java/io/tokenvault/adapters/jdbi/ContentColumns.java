package io.tokenvault.adapters.jdbi;

import static java.util.concurrent.TimeUnit.MICROSECONDS;

import io.tokenvault.ports.spi.Sealed;
import io.tokenvault.ports.spi.SealedContent;
import io.tokenvault.ports.spi.SealedContent.ShortLived;
import io.tokenvault.ports.spi.TokenHash;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.statement.Query;

/** The columns of a token's content, which are written together. */
final class ContentColumns {

  static final String NAMES =
      """
      data, key_version, short_lived, short_lived_key_version, short_lived_until, expressions,
      expressions_key_version, fingerprint, fingerprint_key_version, search_indexes,
      search_index_key_version\
      """;

  /** Of a token that has been there; with {@code :keepsTime}. */
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

  static void bind(Query query, SealedContent content) {
    Optional<Sealed> shortLived = content.shortLived().map(ShortLived::sealed);
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

  private static void bind(Query query, String name, String version, Optional<Sealed> field) {
    query
        .bind(name, field.map(Sealed::ciphertext).orElse(null))
        .bind(version, field.map(Sealed::keyVersion).orElse(null));
  }

  private static void bindIndexes(Query query, List<TokenHash> indexes) {
    query
        .bind("searchIndexes", SqlValues.texts(indexes.stream().map(TokenHash::hex).toList()))
        .bind(
            "searchIndexVersion",
            indexes.stream().findFirst().map(TokenHash::keyVersion).orElse(null));
  }
}
