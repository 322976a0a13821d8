package example.vault;

import io.tokenvault.domain.access.TokenScope;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.tenant.Provenance;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenQuery;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.Page;
import io.tokenvault.ports.store.PageRequest;
import io.tokenvault.ports.store.Preconditions;
import io.tokenvault.ports.store.TokenStore;
import io.tokenvault.ports.store.model.NewToken;
import io.tokenvault.ports.store.model.NewToken.Deduplication;
import io.tokenvault.ports.store.model.StoredToken;
import io.tokenvault.ports.store.model.TokenUpdate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

final class Tokens implements TokenStore {

  private static final Comparator<KeptToken> OLDEST_FIRST =
      Comparator.comparing((KeptToken each) -> each.token().provenance().createdAt())
          .thenComparing(each -> each.token().id().value());
  private static final Comparator<KeptToken> NEWEST_FIRST =
      Comparator.comparing((KeptToken each) -> each.token().provenance().createdAt())
          .reversed()
          .thenComparing(each -> each.token().id().value());

  private final Contents contents;
  private final Database database;

  Tokens(Contents contents) {
    this.contents = contents;
    this.database = contents.database;
  }

  /** Ends the transaction without anything stored. */
  private static final class TakenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int index;

    private TakenException(int index) {
      super("the id of a token is taken", null, false, false);
      this.index = index;
    }
  }

  @Override
  public Creation create(
      List<NewToken> wanted,
      Preconditions decidedOn,
      Function<Token, AuditEntry> expiry,
      MemoryReservation room) {
    TenantId tenantId = wanted.get(0).tenantId();
    try {
      return database.change(
          () -> {
            contents.requireTenant(tenantId);
            contents.requireKeys(tenantId);
            return contents.hold(decidedOn)
                ? new Creation.Done(createAll(wanted, expiry, room))
                : new Creation.Stale();
          });
    } catch (TakenException taken) {
      return new Creation.IdTaken(taken.index);
    }
  }

  private List<Outcome> createAll(
      List<NewToken> wanted, Function<Token, AuditEntry> expiry, MemoryReservation room) {
    List<Outcome> outcomes = new ArrayList<>();
    for (NewToken each : wanted) {
      outcomes.add(
          each.deduplication()
              .flatMap(how -> given(each.tenantId(), how, room))
              .orElseGet(() -> made(each, expiry, outcomes.size())));
    }
    return outcomes;
  }

  private Optional<Outcome> given(TenantId tenantId, Deduplication how, MemoryReservation room) {
    Optional<KeptToken> known =
        unexpired(tenantId)
            .filter(
                each -> each.token().fingerprint().map(how.fingerprints()::contains).orElse(false))
            .filter(each -> how.usable().test(each.token()))
            .min(OLDEST_FIRST);
    known.ifPresent(each -> room.take(contents.present(each).size()));
    known.ifPresent(each -> contents.entries.add(how.entry().apply(each.token())));
    return known.map(each -> new Outcome(contents.present(each), false));
  }

  private Stream<KeptToken> unexpired(TenantId tenantId) {
    return contents.tokens.of(tenantId).stream().filter(each -> !contents.isOver(each.token()));
  }

  private Outcome made(NewToken wanted, Function<Token, AuditEntry> expiry, int index) {
    Optional<KeptToken> there = contents.tokens.find(wanted.tenantId(), wanted.id().value());
    if (there.filter(each -> !contents.isOver(each.token())).isPresent()) {
      throw new TakenException(index);
    }
    there.ifPresent(expired -> contents.entries.add(expiry.apply(expired.token())));
    Provenance provenance =
        new Provenance(
            Optional.of(wanted.createdBy()), database.now(), Optional.empty(), Optional.empty());
    Token token =
        new Token(
            wanted.id(),
            wanted.tenantId(),
            wanted.type(),
            wanted.settings(),
            Optional.of(wanted.content().fingerprint().hex()),
            provenance,
            contents.nextTokenVersion());
    KeptToken kept = KeptToken.of(token, wanted.content(), database.now());
    put(kept);
    contents.entries.add(wanted.entry());
    return new Outcome(contents.present(kept), true);
  }

  private void put(KeptToken kept) {
    contents.tokens.put(kept.token().tenantId(), kept.token().id().value(), kept);
  }

  @Override
  public Optional<StoredToken> update(
      TenantId tenantId, TokenId id, long version, TokenUpdate update, List<AuditEntry> entries) {
    return database.change(
        () -> {
          contents.requireKeys(tenantId);
          Optional<KeptToken> changed =
              at(tenantId, id, version).map(known -> changed(known, update));
          changed.ifPresent(this::put);
          changed.ifPresent(stored -> contents.entries.add(entries));
          return changed.map(contents::present);
        });
  }

  private Optional<KeptToken> at(TenantId tenantId, TokenId id, long version) {
    return contents.token(tenantId, id).filter(known -> known.token().version() == version);
  }

  private KeptToken changed(KeptToken known, TokenUpdate update) {
    Token old = known.token();
    Provenance provenance =
        new Provenance(
            old.provenance().createdBy(),
            old.provenance().createdAt(),
            Optional.of(update.modifiedBy()),
            Optional.of(database.now()));
    Token token =
        new Token(
            old.id(),
            old.tenantId(),
            old.type(),
            update.settings(),
            update.content().map(content -> content.fingerprint().hex()).or(old::fingerprint),
            provenance,
            contents.nextTokenVersion());
    return update
        .content()
        .map(content -> KeptToken.of(token, content, database.now()))
        .map(kept -> update.keepsShortLivedTime() ? kept.withTimeOf(known, database.now()) : kept)
        .orElseGet(() -> known.with(token));
  }

  @Override
  public Page<StoredToken> list(
      TenantId tenantId,
      TokenQuery query,
      TokenScope scope,
      PageRequest request,
      MemoryReservation room) {
    Page<StoredToken> page =
        database.read(
            () ->
                Contents.page(
                    unexpired(tenantId)
                        .filter(
                            each -> query.matches(each.token(), Set.copyOf(each.searchIndexes())))
                        .filter(each -> scope.contains(each.token().traits()))
                        .sorted(NEWEST_FIRST)
                        .map(contents::present)
                        .toList(),
                    request));
    room.take(page.items().stream().mapToLong(StoredToken::size).sum());
    return page;
  }

  @Override
  public boolean delete(TenantId tenantId, TokenId id, long version, AuditEntry entry) {
    return database.change(
        () -> {
          if (at(tenantId, id, version).isEmpty()) {
            return false;
          }
          contents.tokens.remove(tenantId, id.value());
          contents.entries.add(entry);
          return true;
        });
  }

  @Override
  public int deleteExpired(int limit, Function<Token, AuditEntry> entry) {
    return database.change(
        () -> {
          List<Token> due =
              contents.tokens.due().stream()
                  .map(KeptToken::token)
                  .filter(contents::isOver)
                  .limit(limit)
                  .toList();
          due.forEach(each -> contents.tokens.remove(each.tenantId(), each.id().value()));
          contents.entries.add(due.stream().map(entry).toList());
          return due.size();
        });
  }

  @Override
  public int deleteExpiredParts(int limit) {
    return database.change(
        () -> {
          List<KeptToken> due =
              contents.tokens.due().stream()
                  .filter(each -> database.isOver(each.partExpiresAt()))
                  .limit(limit)
                  .toList();
          due.forEach(each -> put(each.withoutPart()));
          return due.size();
        });
  }
}
