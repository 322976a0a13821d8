package io.tokenvault.adapters.jdbi.token;

import io.tokenvault.adapters.jdbi.sql.EntryRows;
import io.tokenvault.adapters.jdbi.sql.SqlValues;
import io.tokenvault.adapters.jdbi.sql.StoredColumns;
import io.tokenvault.adapters.jdbi.sql.StoredRows;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.Token;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.TokenStore.Creation;
import io.tokenvault.ports.store.TokenStore.NewToken;
import io.tokenvault.ports.store.TokenStore.NewToken.Deduplication;
import io.tokenvault.ports.store.TokenStore.Outcome;
import io.tokenvault.ports.store.model.StoredToken;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;

/**
 * Creates a list of tokens within one transaction, one after the other. A token that is
 * deduplicated may be an existing one; an id of an expired token is reused.
 */
final class TokenCreation {

  /**
   * Acquires the locks of all keys in the order of their numbers, until the transaction ends. Each
   * transaction does so before anything else, so that two of them cannot deadlock.
   */
  private static final String LOCK_KEYS =
      """
      SELECT pg_advisory_xact_lock(number)
      FROM (
        SELECT DISTINCT hashtextextended(key, 0) AS number
        FROM unnest(:keys::text[]) AS key
        ORDER BY number
      ) AS ordered
      """;

  /** Number of candidates that are fetched at once; nearly always the first is usable. */
  private static final int FETCH_SIZE = 20;

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
              .formatted(StoredColumns.STILL_UNEXPIRED, StoredColumns.TOKEN_SIZE);

  // The lock keeps the token unchanged until the transaction ends.
  private static final String LOCK_TOKEN =
      "SELECT "
          + StoredColumns.TOKEN
          + """
          FROM token
          WHERE tenant_id = :tenant AND token_id = :id AND version = :version AND %s
          FOR SHARE
          """
              .formatted(StoredColumns.STILL_UNEXPIRED);

  private final Handle handle;
  private final Function<Token, AuditEntry> expiry;
  private final MemoryReservation reservation;
  private final List<Outcome> outcomes = new ArrayList<>();
  private final List<AuditEntry> entries = new ArrayList<>();

  /**
   * Creates the operation.
   *
   * @param handle the transaction
   * @param expiry returns the audit entry for an expired token that is deleted
   * @param reservation the reservation for existing tokens that are returned
   */
  TokenCreation(Handle handle, Function<Token, AuditEntry> expiry, MemoryReservation reservation) {
    this.handle = handle;
    this.expiry = expiry;
    this.reservation = reservation;
  }

  /**
   * Creates the tokens and writes all audit entries.
   *
   * @return an outcome for each token, in their order
   * @throws IdTakenSignal if an id is taken; the transaction must then be rolled back
   */
  Creation.Done run(List<NewToken> tokens) {
    lock(handle, tokens);
    for (int i = 0; i < tokens.size(); i++) {
      outcomes.add(findOrStore(i, tokens.get(i)));
    }
    EntryRows.add(handle, entries);
    return new Creation.Done(outcomes);
  }

  /** Returns an existing token if deduplication finds one, and otherwise stores the new one. */
  private Outcome findOrStore(int index, NewToken wanted) {
    return wanted
        .deduplication()
        .flatMap(deduplication -> find(wanted, deduplication))
        .orElseGet(() -> store(index, wanted));
  }

  /** Returns an existing token with the same fingerprint, and adds the entry of its use. */
  private Optional<Outcome> find(NewToken wanted, Deduplication deduplication) {
    Optional<StoredToken> found = oldestUsable(wanted.tenantId(), deduplication);
    found.ifPresent(stored -> entries.add(deduplication.entry().apply(stored.token())));
    return found.map(stored -> new Outcome(stored, false));
  }

  /** Stores a new token, if necessary in place of an expired one with its id. */
  private Outcome store(int index, NewToken wanted) {
    StoredToken stored =
        TokenRows.insert(handle, wanted)
            .or(() -> insertInPlaceOfExpired(wanted))
            .orElseThrow(() -> new IdTakenSignal(index));
    entries.add(wanted.entry());
    return new Outcome(stored, true);
  }

  /** Deletes an expired token with the id, then inserts the new one. */
  private Optional<StoredToken> insertInPlaceOfExpired(NewToken wanted) {
    TokenRows.deleteExpired(handle, wanted.tenantId(), wanted.id())
        .ifPresent(expired -> entries.add(expiry.apply(expired)));
    return TokenRows.insert(handle, wanted);
  }

  /**
   * Acquires the locks that a list of new tokens needs, and waits for transactions that hold one.
   */
  static void lock(Handle handle, List<NewToken> tokens) {
    List<String> keys = Stream.concat(fingerprints(tokens), ids(tokens)).toList();
    if (!keys.isEmpty()) {
      handle.createQuery(LOCK_KEYS).bind("keys", SqlValues.texts(keys)).mapToMap().list();
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

  /**
   * Returns the oldest usable token and locks it; empty if there is none. Repeats the search if a
   * candidate changes before it is locked.
   *
   * <p>The reservation grows by the token's size before its data is read.
   */
  private Optional<StoredToken> oldestUsable(TenantId tenantId, Deduplication wanted) {
    while (true) {
      Optional<Candidate> candidate = candidate(tenantId, wanted);
      candidate.ifPresent(found -> reservation.take(found.size()));
      Optional<StoredToken> locked = candidate.map(Candidate::token).flatMap(this::lock);
      if (candidate.isEmpty() || locked.isPresent()) {
        return locked;
      }
    }
  }

  /** Returns the oldest candidate that the deduplication accepts. */
  private Optional<Candidate> candidate(TenantId tenantId, Deduplication wanted) {
    try (Stream<Candidate> rows =
        handle
            .createQuery(CANDIDATES)
            .setFetchSize(FETCH_SIZE)
            .bind("tenant", tenantId.value())
            .bind("fingerprints", SqlValues.texts(wanted.fingerprints()))
            .map(
                (row, context) ->
                    new Candidate(StoredRows.toToken(row, context), row.getLong("weight")))
            .stream()) {
      return rows.filter(each -> wanted.usable().test(each.token())).findFirst();
    }
  }

  /** Locks and reads a token; empty if it was changed or deleted, or has expired. */
  private Optional<StoredToken> lock(Token token) {
    return handle
        .createQuery(LOCK_TOKEN)
        .bind("tenant", token.tenantId().value())
        .bind("id", token.id().value())
        .bind("version", token.version())
        .map(StoredRows::toStoredToken)
        .findOne();
  }

  /**
   * A token that may be usable.
   *
   * @param token the token without its data
   * @param size the size of its data at this version, in bytes
   */
  private record Candidate(Token token, long size) {}

  /**
   * Signals a taken id to {@link JdbiTokens} and rolls the transaction back on its way. It has no
   * stack trace, since it is an ordinary outcome.
   */
  static final class IdTakenSignal extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final int index;

    IdTakenSignal(int index) {
      super(null, null, false, false);
      this.index = index;
    }

    int index() {
      return index;
    }
  }
}
