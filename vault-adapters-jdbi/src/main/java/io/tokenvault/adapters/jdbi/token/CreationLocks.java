package io.tokenvault.adapters.jdbi.token;

import io.tokenvault.adapters.jdbi.sql.SqlValues;
import io.tokenvault.ports.store.model.NewToken;
import java.util.List;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;

/**
 * Advisory locks that make those who create the same tokens wait for each other, until their
 * transactions end. All that a transaction needs is taken in one order before anything else, so
 * that two of them never wait for each other.
 */
final class CreationLocks {

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

  static void take(Handle handle, List<NewToken> tokens) {
    List<String> keys = Stream.concat(fingerprints(tokens), ids(tokens)).toList();
    if (!keys.isEmpty()) {
      handle.createQuery(TAKE).bind("keys", SqlValues.texts(keys)).mapToMap().list();
    }
  }

  /** Who finds no token to give in place of a new one is to be the only one who stores one. */
  private static Stream<String> fingerprints(List<NewToken> tokens) {
    return tokens.stream()
        .flatMap(
            token ->
                token.deduplication().stream()
                    .flatMap(deduplication -> deduplication.fingerprints().stream())
                    .map(fingerprint -> "token fingerprint " + token.tenantId() + fingerprint));
  }

  /** One row is locked by its insertion; several would be in the order of the list. */
  private static Stream<String> ids(List<NewToken> tokens) {
    return tokens.size() == 1
        ? Stream.empty()
        : tokens.stream().map(token -> "token id " + token.tenantId() + token.id());
  }
}
