package io.tokenvault.ports.memory;

import io.tokenvault.domain.access.TokenScope;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.tenant.Provenance;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenQuery;
import io.tokenvault.ports.memory.Memory.InTenant;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.Page;
import io.tokenvault.ports.store.PageRequest;
import io.tokenvault.ports.store.Preconditions;
import io.tokenvault.ports.store.TokenStore;
import io.tokenvault.ports.store.model.EncryptedContent;
import io.tokenvault.ports.store.model.NewToken;
import io.tokenvault.ports.store.model.NewToken.Deduplication;
import io.tokenvault.ports.store.model.StoredToken;
import io.tokenvault.ports.store.model.TokenUpdate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

final class InMemoryTokens implements TokenStore {

  private static final Comparator<KeptToken> NEWEST_FIRST =
      Comparator.comparing((KeptToken each) -> each.token().provenance().createdAt())
          .reversed()
          .thenComparing(each -> each.token().id().value());
  private static final Comparator<KeptToken> OLDEST_FIRST =
      Comparator.comparing((KeptToken each) -> each.token().provenance().createdAt())
          .thenComparing(each -> each.token().id().value());

  private final Memory memory;

  InMemoryTokens(Memory memory) {
    this.memory = memory;
  }

  @Override
  public Creation create(
      List<NewToken> wanted,
      Preconditions decidedOn,
      Function<Token, AuditEntry> expiry,
      MemoryReservation reservation) {
    return memory.change(
        () -> {
          memory.requireTenant(wanted.get(0).tenantId());
          memory.requireKeys(wanted.get(0).tenantId());
          if (!memory.hold(decidedOn)) {
            return new Creation.Stale();
          }
          Map<InTenant<TokenId>, KeptToken> before = new HashMap<>(memory.tokens);
          List<AuditEntry> entries = new ArrayList<>();
          List<Outcome> outcomes = new ArrayList<>();
          for (NewToken each : wanted) {
            Optional<Outcome> outcome = createOne(each, expiry, entries);
            if (outcome.isEmpty()) {
              restore(before);
              return new Creation.IdTaken(outcomes.size());
            }
            outcomes.add(outcome.get());
          }
          takeOr(reservation, outcomes, before);
          writeOr(entries, before);
          return new Creation.Done(outcomes);
        });
  }

  private void takeOr(
      MemoryReservation reservation,
      List<Outcome> outcomes,
      Map<InTenant<TokenId>, KeptToken> before) {
    try {
      outcomes.stream()
          .filter(each -> !each.isNew())
          .forEach(each -> reservation.take(each.token().size()));
    } catch (RuntimeException refused) {
      restore(before);
      throw refused;
    }
  }

  private void writeOr(List<AuditEntry> entries, Map<InTenant<TokenId>, KeptToken> before) {
    try {
      memory.requireEntries();
    } catch (RuntimeException refused) {
      restore(before);
      throw refused;
    }
    memory.add(entries);
  }

  private void restore(Map<InTenant<TokenId>, KeptToken> before) {
    memory.tokens.clear();
    memory.tokens.putAll(before);
  }

  /** Empty if the id is taken. */
  private Optional<Outcome> createOne(
      NewToken wanted, Function<Token, AuditEntry> expiry, List<AuditEntry> entries) {
    Optional<KeptToken> known = wanted.deduplication().flatMap(how -> find(wanted, how));
    if (known.isPresent()) {
      Token token = known.get().token();
      entries.add(wanted.deduplication().orElseThrow().entry().apply(token));
      return Optional.of(new Outcome(memory.present(known.get()), false));
    }
    if (memory.token(wanted.tenantId(), wanted.id()).isPresent()) {
      return Optional.empty();
    }
    KeptToken made = KeptToken.of(made(wanted), wanted.content(), memory.now());
    Optional.ofNullable(memory.tokens.put(key(made.token()), made))
        .ifPresent(expired -> entries.add(expiry.apply(expired.token())));
    entries.add(wanted.entry());
    return Optional.of(new Outcome(memory.present(made), true));
  }

  private Optional<KeptToken> find(NewToken wanted, Deduplication how) {
    return of(wanted.tenantId())
        .filter(kept -> kept.token().fingerprint().map(how.fingerprints()::contains).orElse(false))
        .filter(kept -> how.usable().test(kept.token()))
        .min(OLDEST_FIRST);
  }

  private Stream<KeptToken> of(TenantId tenantId) {
    return memory.tokens.values().stream()
        .filter(each -> each.token().tenantId().equals(tenantId))
        .filter(each -> !memory.isOver(each.token().settings().expiresAt()));
  }

  private static InTenant<TokenId> key(Token token) {
    return new InTenant<>(token.tenantId(), token.id());
  }

  private Token made(NewToken wanted) {
    Provenance provenance =
        new Provenance(
            Optional.of(wanted.createdBy()), memory.now(), Optional.empty(), Optional.empty());
    return new Token(
        wanted.id(),
        wanted.tenantId(),
        wanted.type(),
        wanted.settings(),
        Optional.of(wanted.content().fingerprint().hex()),
        provenance,
        memory.nextTokenVersion());
  }

  @Override
  public Optional<StoredToken> update(
      TenantId tenantId, TokenId id, long version, TokenUpdate update, List<AuditEntry> entries) {
    return memory.change(
        () -> {
          memory.requireKeys(tenantId);
          return at(tenantId, id, version)
              .map(
                  known -> {
                    memory.requireEntries();
                    KeptToken changed = changed(known, update);
                    memory.tokens.put(key(known.token()), changed);
                    memory.add(entries);
                    return memory.present(changed);
                  });
        });
  }

  private Optional<KeptToken> at(TenantId tenantId, TokenId id, long version) {
    return memory
        .token(tenantId, id)
        .filter(stored -> stored.token().version() == version)
        .map(stored -> memory.tokens.get(key(stored.token())));
  }

  private KeptToken changed(KeptToken known, TokenUpdate update) {
    Token old = known.token();
    Provenance provenance =
        new Provenance(
            old.provenance().createdBy(),
            old.provenance().createdAt(),
            Optional.of(update.modifiedBy()),
            Optional.of(memory.now()));
    Token token =
        new Token(
            old.id(),
            old.tenantId(),
            old.type(),
            update.settings(),
            update.content().map(InMemoryTokens::fingerprint).or(old::fingerprint),
            provenance,
            memory.nextTokenVersion());
    return update
        .content()
        .map(content -> KeptToken.of(token, content, memory.now()))
        .map(kept -> update.keepsShortLivedTime() ? kept.withTimeOf(known, memory.now()) : kept)
        .orElseGet(() -> known.with(token));
  }

  private static String fingerprint(EncryptedContent content) {
    return content.fingerprint().hex();
  }

  @Override
  public Page<StoredToken> list(
      TenantId tenantId,
      TokenQuery query,
      TokenScope scope,
      PageRequest request,
      MemoryReservation reservation) {
    Page<StoredToken> page =
        memory.read(
            () ->
                Memory.page(
                    of(tenantId)
                        .filter(each -> query.matches(each.token(), each.searchIndexes()))
                        .filter(each -> scope.contains(each.token().traits()))
                        .sorted(NEWEST_FIRST)
                        .map(memory::present)
                        .toList(),
                    request));
    reservation.take(page.items().stream().mapToLong(StoredToken::size).sum());
    return page;
  }

  @Override
  public boolean delete(TenantId tenantId, TokenId id, long version, AuditEntry entry) {
    return memory.change(
        () -> {
          Optional<KeptToken> known = at(tenantId, id, version);
          if (known.isEmpty()) {
            return false;
          }
          memory.requireEntries();
          memory.tokens.remove(key(known.get().token()));
          memory.add(entry);
          return true;
        });
  }

  @Override
  public int deleteExpired(int limit, Function<Token, AuditEntry> entry) {
    return memory.change(
        () -> {
          List<Token> due =
              memory.tokens.values().stream()
                  .map(KeptToken::token)
                  .filter(each -> memory.isOver(each.settings().expiresAt()))
                  .limit(limit)
                  .toList();
          if (!due.isEmpty()) {
            memory.requireEntries();
          }
          due.forEach(each -> memory.tokens.remove(key(each)));
          memory.add(due.stream().map(entry).toList());
          return due.size();
        });
  }

  @Override
  public int deleteExpiredParts(int limit) {
    return memory.change(
        () -> {
          List<KeptToken> due =
              memory.tokens.values().stream()
                  .filter(each -> memory.isOver(each.partExpiresAt()))
                  .limit(limit)
                  .toList();
          due.forEach(each -> memory.tokens.put(key(each.token()), each.withoutPart()));
          return due.size();
        });
  }
}
