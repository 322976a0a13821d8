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
public final class ScriptedTokens implements TokenStore {

  private final TokenStore real;
  private final List<TokenId> wanted = new ArrayList<>();
  private final Deque<Runnable> before = new ArrayDeque<>();
  private int taken;
  private boolean losing;

  ScriptedTokens(TokenStore real) {
    this.real = real;
  }

  /** Reports the first id of the next creations as taken. */
  public void sayTaken(int times) {
    taken = times;
  }

  /** Creates tokens, but then fails. */
  void loseAnswers() {
    losing = true;
  }

  /** Returns the first id of each creation. */
  public List<TokenId> wanted() {
    return List.copyOf(wanted);
  }

  /** Runs an action once, before the next update or deletion. */
  public void before(Runnable change) {
    before.add(change);
  }

  /** Drops pending actions. */
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
