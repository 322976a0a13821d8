package io.tokenvault.adapters.jdbi;

import io.tokenvault.adapters.jdbi.TokenCreation.IdTakenSignal;
import io.tokenvault.domain.access.TokenScope;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenQuery;
import io.tokenvault.ports.spi.MemoryReservation;
import io.tokenvault.ports.spi.NewToken;
import io.tokenvault.ports.spi.Page;
import io.tokenvault.ports.spi.PageRequest;
import io.tokenvault.ports.spi.StoredToken;
import io.tokenvault.ports.spi.TokenStore;
import io.tokenvault.ports.spi.TokenUpdate;
import io.tokenvault.ports.spi.Versions;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Tokens in PostgreSQL. */
final class JdbiTokens implements TokenStore {

  private static final Paging NEWEST_FIRST =
      new Paging(StoredColumns.TOKEN_WITHIN_ROOM, "token", "created_at DESC, token_id");

  // What another node is deleting is left out.
  private static final String DUE =
      """
      WITH due AS MATERIALIZED (
        SELECT tenant_id AS due_tenant, token_id AS due_token
        FROM token
        WHERE %1$s <= now()
        ORDER BY %1$s
        LIMIT :limit
        FOR UPDATE SKIP LOCKED)
      """;

  private static final String DELETE_EXPIRED =
      DUE.formatted("expires_at")
          + """
          DELETE FROM token USING due
          WHERE tenant_id = due_tenant AND token_id = due_token
          RETURNING
          """
          + StoredColumns.TOKEN_WITHOUT_DATA;

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
   * @param database for lists
   * @param steady for all else
   */
  JdbiTokens(Database database, Database steady, TokenInserts inserts) {
    this.database = database;
    this.steady = steady;
    this.inserts = inserts;
  }

  @Override
  public Creation create(
      List<NewToken> tokens,
      Versions decidedOn,
      Function<Token, AuditEntry> expiry,
      MemoryReservation room) {
    return inserts
        .tryAll(tokens, decidedOn)
        .orElseGet(() -> createInTurn(tokens, decidedOn, expiry, room));
  }

  private Creation createInTurn(
      List<NewToken> tokens,
      Versions decidedOn,
      Function<Token, AuditEntry> expiry,
      MemoryReservation room) {
    try {
      return steady.change(
          handle -> {
            JdbiKeys.requireKeys(handle, tokens.get(0).tenantId());
            return Conditions.of(decidedOn).hold(handle)
                ? new TokenCreation(handle, expiry, room).run(tokens)
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
          JdbiKeys.requireKeys(handle, tenantId);
          Optional<StoredToken> updated = TokenWrites.update(handle, tenantId, id, version, update);
          updated.ifPresent(unused -> Entries.add(handle, entries));
          return updated;
        });
  }

  @Override
  public Page<StoredToken> list(
      TenantId tenantId,
      TokenQuery query,
      TokenScope scope,
      PageRequest request,
      MemoryReservation room) {
    Filter conditions = Filter.of(tenantId).and(Expiry.UNEXPIRED);
    QuerySql.restrict(conditions, query);
    ScopeSql.restrict(conditions, scope);
    return database
        .run(handle -> new SealedPages(handle, NEWEST_FIRST, conditions, request).read(room))
        .map(StoredRow::toStoredToken);
  }

  @Override
  public boolean delete(TenantId tenantId, TokenId id, long version, AuditEntry entry) {
    return steady.change(
        handle -> {
          boolean deleted = TokenWrites.delete(handle, tenantId, id, version);
          if (deleted) {
            Entries.add(handle, entry);
          }
          return deleted;
        });
  }

  @Override
  public int deleteExpired(int limit, Function<Token, AuditEntry> entry) {
    return steady.change(
        handle -> {
          List<Token> deleted =
              handle
                  .createQuery(DELETE_EXPIRED)
                  .bind("limit", limit)
                  .map(StoredRow::read)
                  .map(StoredRow::toToken)
                  .list();
          Entries.add(handle, deleted.stream().map(entry).toList());
          return deleted.size();
        });
  }

  @Override
  public int deleteExpiredParts(int limit) {
    return steady.run(handle -> handle.createUpdate(DELETE_PARTS).bind("limit", limit).execute());
  }
}
