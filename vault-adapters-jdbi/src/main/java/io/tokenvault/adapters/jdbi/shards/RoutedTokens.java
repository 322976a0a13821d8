package io.tokenvault.adapters.jdbi.shards;

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

/** Tokens, each in the database of its tenant. */
record RoutedTokens(Shards shards) implements TokenStore {

  private <T> T ask(TenantId tenantId, Function<TokenStore, T> question) {
    return shards.of(tenantId).ask(ports -> question.apply(ports.stores().tokens()));
  }

  @Override
  public Creation create(
      List<NewToken> tokens,
      Versions decidedOn,
      Function<Token, AuditEntry> expiry,
      MemoryReservation room) {
    return ask(tokens.get(0).tenantId(), store -> store.create(tokens, decidedOn, expiry, room));
  }

  @Override
  public Optional<StoredToken> update(
      TenantId tenantId, TokenId id, long version, TokenUpdate update, List<AuditEntry> entries) {
    return ask(tenantId, store -> store.update(tenantId, id, version, update, entries));
  }

  @Override
  public Page<StoredToken> list(
      TenantId tenantId,
      TokenQuery query,
      TokenScope scope,
      PageRequest request,
      MemoryReservation room) {
    return ask(tenantId, store -> store.list(tenantId, query, scope, request, room));
  }

  @Override
  public boolean delete(TenantId tenantId, TokenId id, long version, AuditEntry entry) {
    return ask(tenantId, store -> store.delete(tenantId, id, version, entry));
  }

  @Override
  public int deleteExpired(int limit, Function<Token, AuditEntry> entry) {
    return shards.workOff(limit, (stores, left) -> stores.tokens().deleteExpired(left, entry));
  }

  @Override
  public int deleteExpiredParts(int limit) {
    return shards.workOff(limit, (stores, left) -> stores.tokens().deleteExpiredParts(left));
  }
}
