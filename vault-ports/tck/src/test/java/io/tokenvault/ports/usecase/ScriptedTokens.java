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

/** Says that ids are taken, or changes something, as often as a test wants; then it stores. */
public final class ScriptedTokens implements TokenStore {

  private final TokenStore real;
  private final List<TokenId> wanted = new ArrayList<>();
  private final Deque<Runnable> before = new ArrayDeque<>();
  private int taken;
  private boolean losing;

  ScriptedTokens(TokenStore real) {
    this.real = real;
  }

  /** The first id of as many of the next creations is taken. */
  public void sayTaken(int times) {
    taken = times;
  }

  /** Nobody hears what became of creations. */
  void loseAnswers() {
    losing = true;
  }

  /** The first ids of all creations. */
  public List<TokenId> wanted() {
    return List.copyOf(wanted);
  }

  /** Something that happens just before the next update or deletion. */
  public void before(Runnable change) {
    before.add(change);
  }

  /** From now on it stores. */
  public void forgetScripts() {
    before.clear();
  }

  private void runScript() {
    if (!before.isEmpty()) {
      before.remove().run();
    }
  }

  @Override
  public Creation create(
      List<NewToken> tokens,
      Preconditions decidedOn,
      Function<Token, AuditEntry> expiry,
      MemoryReservation reservation) {
    wanted.add(tokens.get(0).id());
    if (taken > 0) {
      taken--;
      return new Creation.IdTaken(0);
    }
    Creation creation = real.create(tokens, decidedOn, expiry, reservation);
    if (losing) {
      throw RefusedException.unavailable(null);
    }
    return creation;
  }

  @Override
  public Optional<StoredToken> update(
      TenantId tenantId, TokenId id, long version, TokenUpdate update, List<AuditEntry> entries) {
    runScript();
    return real.update(tenantId, id, version, update, entries);
  }

  @Override
  public Page<StoredToken> list(
      TenantId tenantId,
      TokenQuery query,
      TokenScope scope,
      PageRequest request,
      MemoryReservation reservation) {
    return real.list(tenantId, query, scope, request, reservation);
  }

  @Override
  public boolean delete(TenantId tenantId, TokenId id, long version, AuditEntry entry) {
    runScript();
    return real.delete(tenantId, id, version, entry);
  }

  @Override
  public int deleteExpired(int limit, Function<Token, AuditEntry> entry) {
    return real.deleteExpired(limit, entry);
  }

  @Override
  public int deleteExpiredParts(int limit) {
    return real.deleteExpiredParts(limit);
  }
}
