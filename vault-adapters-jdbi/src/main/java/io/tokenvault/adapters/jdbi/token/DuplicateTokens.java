package io.tokenvault.adapters.jdbi.token;

import io.tokenvault.adapters.jdbi.sql.ExpiryCondition;
import io.tokenvault.adapters.jdbi.sql.SqlValues;
import io.tokenvault.adapters.jdbi.sql.StoredColumns;
import io.tokenvault.adapters.jdbi.sql.StoredRow;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.Token;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.model.NewToken.Deduplication;
import io.tokenvault.ports.store.model.StoredToken;
import java.util.Optional;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;

/** Finds an existing token with the same fingerprint that can be returned in place of a new one. */
final class DuplicateTokens {

  /** Number of candidates that are fetched at once; nearly always the first is usable. */
  private static final int FEW = 20;

  /** Selects unexpired tokens with one of the fingerprints, oldest first, without their data. */
  private static final String CANDIDATES =
      "SELECT "
          + StoredColumns.TOKEN_WITHOUT_DATA
          + """
          , %2$s AS weight
          FROM token
          WHERE tenant_id = :tenant AND fingerprint = ANY (:fingerprints) AND %1$s
          ORDER BY token.created_at, token_id
          """
              .formatted(ExpiryCondition.STILL_UNEXPIRED, StoredColumns.TOKEN_SIZE);

  // The lock keeps the token unchanged until the transaction ends.
  private static final String HOLD =
      "SELECT "
          + StoredColumns.TOKEN
          + """
          FROM token
          WHERE tenant_id = :tenant AND token_id = :id AND version = :version AND %s
          FOR SHARE
          """
              .formatted(ExpiryCondition.STILL_UNEXPIRED);

  private final Handle handle;
  private final TenantId tenantId;
  private final Deduplication wanted;

  DuplicateTokens(Handle handle, TenantId tenantId, Deduplication wanted) {
    this.handle = handle;
    this.tenantId = tenantId;
    this.wanted = wanted;
  }

  /**
   * Returns the oldest usable token and locks it; empty if there is none. Repeats the search if a
   * candidate changes before it is locked.
   *
   * @param room the reservation, which is increased by the token's size before its data is read
   */
  Optional<StoredToken> oldestUsable(MemoryReservation room) {
    while (true) {
      Optional<Candidate> candidate = candidate();
      candidate.ifPresent(found -> room.take(found.size()));
      Optional<StoredToken> held = candidate.map(Candidate::token).flatMap(this::hold);
      if (candidate.isEmpty() || held.isPresent()) {
        return held;
      }
    }
  }

  /** Returns the oldest candidate that the deduplication accepts. */
  private Optional<Candidate> candidate() {
    try (Stream<Candidate> rows =
        handle
            .createQuery(CANDIDATES)
            .setFetchSize(FEW)
            .bind("tenant", tenantId.value())
            .bind("fingerprints", SqlValues.texts(wanted.fingerprints()))
            .map(
                (row, context) ->
                    new Candidate(StoredRow.read(row, context).toToken(), row.getLong("weight")))
            .stream()) {
      return rows.filter(each -> wanted.usable().test(each.token())).findFirst();
    }
  }

  /**
   * A token that may be usable.
   *
   * @param token the token without its data
   * @param size the size of its data at this version, in bytes
   */
  private record Candidate(Token token, long size) {}

  /** Locks and reads a token; empty if it was changed or deleted, or has expired. */
  private Optional<StoredToken> hold(Token token) {
    return handle
        .createQuery(HOLD)
        .bind("tenant", tenantId.value())
        .bind("id", token.id().value())
        .bind("version", token.version())
        .map(StoredRow::read)
        .findOne()
        .map(StoredRow::toStoredToken);
  }
}
