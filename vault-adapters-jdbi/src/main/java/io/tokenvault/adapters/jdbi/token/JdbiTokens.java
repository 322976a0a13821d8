package io.tokenvault.adapters.jdbi.token;

import io.tokenvault.adapters.jdbi.sql.Conditions;
import io.tokenvault.adapters.jdbi.sql.Database;
import io.tokenvault.adapters.jdbi.sql.EntryRows;
import io.tokenvault.adapters.jdbi.sql.FilteredQuery;
import io.tokenvault.adapters.jdbi.sql.FilteredQuery.Listing;
import io.tokenvault.adapters.jdbi.sql.StoredColumns;
import io.tokenvault.adapters.jdbi.sql.StoredRows;
import io.tokenvault.adapters.jdbi.tenant.JdbiKeys;
import io.tokenvault.adapters.jdbi.token.TokenCreation.IdTakenSignal;
import io.tokenvault.domain.access.TokenScope;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenQuery;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.Page;
import io.tokenvault.ports.store.PageRequest;
import io.tokenvault.ports.store.Preconditions;
import io.tokenvault.ports.store.TokenStore;
import io.tokenvault.ports.store.TokenStore.NewToken;
import io.tokenvault.ports.store.TokenStore.TokenUpdate;
import io.tokenvault.ports.store.model.StoredToken;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Tokens in PostgreSQL.
 *
 * <p>A change commits together with its audit entries. Updates and deletions require the version
 * that the caller read, so that concurrent changes are not lost. Expired tokens are invisible even
 * before they are deleted.
 *
 * <p>The caller encrypts data; this class stores and returns ciphertext only. An instance is safe
 * for use by many threads.
 */
public final class JdbiTokens implements TokenStore {

  /** Lists tokens by the time of their creation; the id makes the order unique. */
  private static final Listing NEWEST_FIRST =
      new Listing(StoredColumns.TOKEN_WITHIN_RESERVATION, "token", "created_at DESC, token_id");

  // Rows that another node is deleting are skipped.
  private static final String DUE =
      """
      WITH due AS MATERIALIZED (
        SELECT tenant_id AS due_tenant, token_id AS due_token
        FROM token
        WHERE %1$s <= now()
        ORDER BY %1$s
        LIMIT ?
        FOR UPDATE SKIP LOCKED)
      """;

  /** Deletes expired tokens and returns them without their data, for their audit entries. */
  private static final String DELETE_EXPIRED =
      DUE.formatted("expires_at")
          + """
          DELETE FROM token USING due
          WHERE tenant_id = due_tenant AND token_id = due_token
          RETURNING
          """
          + StoredColumns.TOKEN_WITHOUT_DATA;

  /** Deletes the short-lived parts that have expired; their tokens stay. */
  private static final String DELETE_PARTS =
      DUE.formatted("short_lived_until")
          + """
          UPDATE token
          SET short_lived = NULL, short_lived_key_version = NULL, short_lived_until = NULL
          FROM due
          WHERE tenant_id = due_tenant AND token_id = due_token
          """;

  private final Database database;
  private final Database steady;
  private final TokenInserts inserts;

  /**
   * Creates the store.
   *
   * @param database the pool for lists
   * @param steady the pool for all other statements
   * @param inserts writes new tokens of concurrent calls together
   */
  public JdbiTokens(Database database, Database steady, TokenInserts inserts) {
    this.database = database;
    this.steady = steady;
    this.inserts = inserts;
  }

  @Override
  public Creation create(
      List<NewToken> tokens,
      Preconditions decidedOn,
      Function<Token, AuditEntry> expiry,
      MemoryReservation reservation) {
    // Most calls succeed here; the rest is repeated token by token, since nothing was stored.
    return inserts
        .tryAll(tokens, decidedOn)
        .orElseGet(() -> createOneByOne(tokens, decidedOn, expiry, reservation));
  }

  /** Creates tokens one after the other, in a transaction that rolls back if an id is taken. */
  private Creation createOneByOne(
      List<NewToken> tokens,
      Preconditions decidedOn,
      Function<Token, AuditEntry> expiry,
      MemoryReservation reservation) {
    try {
      return steady.change(
          handle -> {
            // Holds the tenant's keys until the encrypted data is committed.
            JdbiKeys.requireKeys(handle, tokens.get(0).tenantId());
            return Conditions.of(decidedOn).hold(handle)
                ? new TokenCreation(handle, expiry, reservation).run(tokens)
                : new Creation.Stale();
          });
    } catch (IdTakenSignal taken) {
      return new Creation.IdTaken(taken.index());
    }
  }

  @Override
  public Optional<StoredToken> update(
      TenantId tenantId, TokenId id, long version, TokenUpdate update, List<AuditEntry> entries) {
    return steady.change(
        handle -> {
          // The update may contain newly encrypted data.
          JdbiKeys.requireKeys(handle, tenantId);
          Optional<StoredToken> updated = TokenRows.update(handle, tenantId, id, version, update);
          updated.ifPresent(unused -> EntryRows.add(handle, entries));
          return updated;
        });
  }

  @Override
  public Page<StoredToken> list(
      TenantId tenantId,
      TokenQuery query,
      TokenScope scope,
      PageRequest request,
      MemoryReservation reservation) {
    // The scope restricts the list in SQL, so that totals reveal nothing about other tokens.
    FilteredQuery conditions = FilteredQuery.of(tenantId).and(StoredColumns.UNEXPIRED);
    TokenQuerySql.restrict(conditions, query);
    TokenQuerySql.restrict(conditions, scope);
    return database.run(
        handle ->
            conditions.page(handle, NEWEST_FIRST, request, StoredRows::toStoredToken, reservation));
  }

  @Override
  public boolean delete(TenantId tenantId, TokenId id, long version, AuditEntry entry) {
    return steady.change(
        handle -> {
          boolean deleted = TokenRows.delete(handle, tenantId, id, version);
          if (deleted) {
            EntryRows.add(handle, entry);
          }
          return deleted;
        });
  }

  @Override
  public int deleteExpired(int limit, Function<Token, AuditEntry> entry) {
    return steady.change(
        handle -> {
          // Each deletion is recorded in the same transaction.
          List<Token> deleted =
              handle.select(DELETE_EXPIRED, limit).map(StoredRows::toToken).list();
          EntryRows.add(handle, deleted.stream().map(entry).toList());
          return deleted.size();
        });
  }

  @Override
  public int deleteExpiredParts(int limit) {
    return steady.run(handle -> handle.execute(DELETE_PARTS, limit));
  }
}
