package io.tokenvault.ports.usecase;

import io.tokenvault.domain.access.TokenScope;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.failure.RefusedException;
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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A token store that a test makes reject ids, fail, or run an action first. */
public final class ScriptedTokenStore implements TokenStore {

  private final TokenStore delegate;
  private final List<TokenId> requestedIds = new ArrayList<>();
  private final Deque<Runnable> actions = new ArrayDeque<>();
  private int rejections;
  private boolean failing;

  ScriptedTokenStore(TokenStore delegate) {
    this.delegate = delegate;
  }

  /** Makes the next {@code times} creations report their first id as taken. */
  public void returnIdTaken(int times) {
    rejections = times;
  }

  /** Makes creations store their tokens and then fail. */
  void failAfterCreation() {
    failing = true;
  }

  /** Returns the first id of each creation. */
  public List<TokenId> requestedIds() {
    return List.copyOf(requestedIds);
  }

  /** Runs an action once, before the next update or deletion. */
  public void beforeWrite(Runnable action) {
    actions.add(action);
  }

  /** Drops pending actions. */
  public void clearActions() {
    actions.clear();
  }

  private void runNextAction() {
    if (!actions.isEmpty()) {
      actions.remove().run();
    }
  }

  @Override
  public Creation create(
      List<NewToken> tokens,
      Preconditions decidedOn,
      Function<Token, AuditEntry> expiry,
      MemoryReservation reservation) {
    requestedIds.add(tokens.get(0).id());
    if (rejections > 0) {
      rejections--;
      return new Creation.IdTaken(0);
    }
    Creation creation = delegate.create(tokens, decidedOn, expiry, reservation);
    if (failing) {
      throw RefusedException.unavailable(null);
    }
    return creation;
  }

  @Override
  public Optional<StoredToken> update(
      TenantId tenantId, TokenId id, long version, TokenUpdate update, List<AuditEntry> entries) {
    runNextAction();
    return delegate.update(tenantId, id, version, update, entries);
  }

  @Override
  public Page<StoredToken> list(
      TenantId tenantId,
      TokenQuery query,
      TokenScope scope,
      PageRequest request,
      MemoryReservation reservation) {
    return delegate.list(tenantId, query, scope, request, reservation);
  }

  @Override
  public boolean delete(TenantId tenantId, TokenId id, long version, AuditEntry entry) {
    runNextAction();
    return delegate.delete(tenantId, id, version, entry);
  }

  @Override
  public int deleteExpired(int limit, Function<Token, AuditEntry> entry) {
    return delegate.deleteExpired(limit, entry);
  }

  @Override
  public int deleteExpiredParts(int limit) {
    return delegate.deleteExpiredParts(limit);
  }
}
