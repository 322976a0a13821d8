package io.tokenvault.adapters.jdbi.token;

import io.tokenvault.adapters.jdbi.batch.BatchWriter;
import io.tokenvault.adapters.jdbi.sql.Conditions;
import io.tokenvault.adapters.jdbi.sql.Database;
import io.tokenvault.adapters.jdbi.sql.Database.SharedTransaction;
import io.tokenvault.adapters.jdbi.sql.EntryMarks;
import io.tokenvault.adapters.jdbi.sql.EntryRows;
import io.tokenvault.adapters.jdbi.sql.SqlValues;
import io.tokenvault.adapters.jdbi.sql.StoredRows;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings.Limits;
import io.tokenvault.domain.failure.FailureCode;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.store.Preconditions;
import io.tokenvault.ports.store.TokenStore.Creation;
import io.tokenvault.ports.store.TokenStore.NewToken;
import io.tokenvault.ports.store.TokenStore.Outcome;
import io.tokenvault.ports.store.model.EncryptedContent;
import io.tokenvault.ports.store.model.EncryptedContent.ShortLived;
import io.tokenvault.ports.store.model.StoredToken;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/**
 * Stores tokens in the common case, in which nothing is in their way. Single tokens of concurrent
 * calls are written together; the tokens of one call are written by one statement.
 *
 * <p>All other cases are left to {@link TokenCreation}: deduplication, taken ids and failed
 * preconditions.
 */
public final class TokenInserts implements AutoCloseable {

  /**
   * Size in bytes above which a token is written alone, so that a full batch has only a few MiB.
   */
  private static final int MAX_SHARING = 16 << 10;

  /**
   * Size in bytes above which a call's tokens are written one by one, so that their data is not in
   * memory several times.
   */
  private static final int MAX_TOGETHER = 4 << 20;

  // Stores nothing for a tenant whose keys are being destroyed. Skipping its locked row keeps the
  // calls of other tenants from waiting for that.
  private static final String STATEMENT =
      "WITH stale AS MATERIALIZED (\n"
          + Conditions.STALE
          + """
          ), held AS MATERIALIZED (
            SELECT tenant_id FROM tenant
            WHERE tenant_id = ANY (:tenants::uuid[]) AND shredded_at IS NULL
            FOR KEY SHARE SKIP LOCKED
          ), stored AS (
          """
          + TokenRows.INSERT
          + """
            WHERE wanted.tenant_id IN (SELECT tenant_id FROM held)
              AND (:conditions::integer[])[place::integer] NOT IN (SELECT condition FROM stale)
            ORDER BY place
          """
          + TokenRows.UNLESS_TAKEN
          + "), written AS (\n"
          + EntryRows.INSERT
          + """
          WHERE ((:tenants::uuid[])[place::integer], (:ids::text[])[place::integer])
              IN (SELECT tenant_id, id FROM stored)
          """
          + EntryRows.IN_ORDER
          + "\n)\nSELECT * FROM stored";

  private final Database database;
  private final SharedTransaction shared;
  private final BatchWriter<Call, Optional<StoredToken>> writer;

  /**
   * Creates the store's fast path.
   *
   * @param database the pool to write with
   * @param shared the shared transaction, which these writes cannot take part in
   * @param limits the limits that determine how long a call waits
   */
  public TokenInserts(Database database, SharedTransaction shared, Limits limits) {
    this.database = database;
    this.shared = shared;
    this.writer = new BatchWriter<>("token-writer", limits, this::write, Call::size);
  }

  private List<Optional<StoredToken>> write(List<Call> calls) {
    return database.run(handle -> write(handle, calls));
  }

  /**
   * Stores all tokens, or none of them.
   *
   * @return empty, with nothing stored, if the tokens have to be created one by one: a precondition
   *     does not hold, an id is taken, even by an expired token, or the tenant was deleted or its
   *     keys destroyed; also if this thread has a shared transaction, to which rows of a common
   *     batch cannot belong
   * @throws RefusedException if the database is unavailable or too much work waits
   */
  Optional<Creation> tryAll(List<NewToken> tokens, Preconditions decidedOn) {
    try {
      return tryEach(tokens, decidedOn);
    } catch (RefusedException refused) {
      if (refused.code() == FailureCode.UNAVAILABLE) {
        database.marks().ifPresent(EntryMarks::noteUnwritten);
      }
      throw refused;
    }
  }

  /** Chooses how to write: shared with other calls, alone, or together in one transaction. */
  private Optional<Creation> tryEach(List<NewToken> tokens, Preconditions decidedOn) {
    if (shared.current().isPresent()
        || tokens.stream().anyMatch(each -> each.deduplication().isPresent())) {
      return Optional.empty();
    }
    List<Call> calls = tokens.stream().map(each -> new Call(each, decidedOn)).toList();
    long bytes = tokens.stream().mapToLong(TokenInserts::bytes).sum();
    if (calls.size() == 1) {
      Optional<StoredToken> stored =
          bytes > MAX_SHARING ? write(calls).get(0) : writer.write(calls.get(0));
      return stored.map(each -> done(List.of(each)));
    }
    return bytes > MAX_TOGETHER ? Optional.empty() : tryTogether(tokens, calls);
  }

  /**
   * Writes the tokens of one call in one transaction, which is rolled back unless all are stored.
   */
  private Optional<Creation> tryTogether(List<NewToken> tokens, List<Call> calls) {
    return database.change(
        handle -> {
          TokenCreation.lock(handle, tokens);
          List<StoredToken> stored =
              write(handle, calls).stream().flatMap(Optional::stream).toList();
          if (stored.size() < calls.size()) {
            handle.rollback();
            return Optional.empty();
          }
          return Optional.of(done(stored));
        });
  }

  private static Creation done(List<StoredToken> stored) {
    return new Creation.Done(stored.stream().map(each -> new Outcome(each, true)).toList());
  }

  /** Returns the size of a token's encrypted values. */
  private static long bytes(NewToken token) {
    EncryptedContent content = token.content();
    return Stream.of(
            Optional.of(content.data()),
            content.shortLived().map(ShortLived::encrypted),
            content.expressions())
        .flatMap(Optional::stream)
        .map(EncryptedValue::ciphertext)
        .mapToLong(each -> each.length)
        .sum();
  }

  /** Writes the queued tokens, for at most ten seconds. */
  @Override
  public void close() {
    writer.close();
  }

  /**
   * Writes tokens and their audit entries in one statement, and returns the stored token of each
   * call, in their order. Of several calls with one id, only the first can succeed. Rows are
   * inserted in the order of their keys, so that two batches with the same ids cannot deadlock.
   *
   * <p>A token is empty if its preconditions do not hold, its id is taken, even by an expired token
   * or by another call of this batch, or its tenant was deleted or its keys destroyed. Neither the
   * token nor its entry is then written.
   */
  private static List<Optional<StoredToken>> write(Handle handle, List<Call> calls) {
    Map<String, Call> first = new TreeMap<>();
    calls.forEach(each -> first.putIfAbsent(each.key(), each));
    Map<String, StoredToken> stored = new HashMap<>();
    query(handle, first.values())
        .map(StoredRows::toStoredToken)
        .forEach(each -> stored.put(key(each.token().tenantId(), each.token().id()), each));
    // Only the first call with an id wrote the row, so it removes the row from the map.
    return calls.stream().map(each -> Optional.ofNullable(stored.remove(each.key()))).toList();
  }

  /**
   * Returns the primary key of a token as one string. Tenant ids have a fixed length, so that the
   * strings of different tokens differ and have the order of their keys.
   */
  private static String key(TenantId tenantId, TokenId id) {
    return tenantId + id.value();
  }

  /** Binds the tokens, their entries and the numbers of their preconditions. */
  private static Query query(Handle handle, Collection<Call> calls) {
    List<NewToken> tokens = calls.stream().map(Call::token).toList();
    Conditions wanted = new Conditions();
    List<Integer> conditions = calls.stream().map(each -> wanted.number(each.versions())).toList();
    Query query =
        EntryRows.bind(
            handle.createQuery(STATEMENT), tokens.stream().map(NewToken::entry).toList());
    TokenRows.bind(query, tokens).bind("conditions", SqlValues.integers(conditions));
    return wanted.bind(query);
  }

  private record Call(NewToken token, Preconditions versions) {

    private String key() {
      return TokenInserts.key(token.tenantId(), token.id());
    }

    /**
     * Returns the number of rows that the call writes and checks: the token, its entry and a row
     * for each precondition.
     */
    int size() {
      return 2 + versions.size();
    }
  }
}
