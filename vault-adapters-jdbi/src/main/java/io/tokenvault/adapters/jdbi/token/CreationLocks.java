package io.tokenvault.adapters.jdbi.token;

import io.tokenvault.adapters.jdbi.sql.SqlValues;
import io.tokenvault.ports.store.model.NewToken;
import java.util.List;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;

/**
 * Advisory locks that serialize transactions that create the same tokens. Each transaction acquires
 * all of its locks in one order, before anything else, so that two of them cannot deadlock.
 */
final class CreationLocks {

  /** Acquires the locks of all keys in the order of their numbers, until the transaction ends. */
  private static final String TAKE =
      """
      SELECT pg_advisory_xact_lock(number)
      FROM (
        SELECT DISTINCT hashtextextended(key, 0) AS number
        FROM unnest(:keys::text[]) AS key
        ORDER BY number
      ) AS ordered
      """;

  private CreationLocks() {}

  /**
   * Acquires the locks that a list of new tokens needs, and waits for transactions that hold one.
   */
  static void take(Handle handle, List<NewToken> tokens) {
    List<String> keys = Stream.concat(fingerprints(tokens), ids(tokens)).toList();
    if (!keys.isEmpty()) {
      handle.createQuery(TAKE).bind("keys", SqlValues.texts(keys)).mapToMap().list();
    }
  }

  /**
   * Returns a key for each fingerprint to deduplicate by: of several transactions that find no
   * existing token, only one may store a new one.
   */
  private static Stream<String> fingerprints(List<NewToken> tokens) {
    return tokens.stream()
        .flatMap(
            token ->
                token.deduplication().stream()
                    .flatMap(deduplication -> deduplication.fingerprints().stream())
                    .map(fingerprint -> "token fingerprint " + token.tenantId() + fingerprint));
  }

  /**
   * Returns a key for each id. A single token needs none, since inserting its row locks it; several
   * would be locked in the order of the list.
   */
  private static Stream<String> ids(List<NewToken> tokens) {
    return tokens.size() == 1
        ? Stream.empty()
        : tokens.stream().map(token -> "token id " + token.tenantId() + token.id());
  }
}
