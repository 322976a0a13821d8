package io.tokenvault.ports.store.document;

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
import io.tokenvault.ports.store.TokenStore.NewToken;
import io.tokenvault.ports.store.TokenStore.NewToken.Deduplication;
import io.tokenvault.ports.store.TokenStore.TokenUpdate;
import io.tokenvault.ports.store.document.Records.Match;
import io.tokenvault.ports.store.model.StoredToken;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

record DocumentTokens(Transactions transactions) implements TokenStore {

  private static final Comparator<TokenRecord> OLDEST_FIRST =
      Comparator.comparing((TokenRecord each) -> each.token().provenance().createdAt())
          .thenComparing(each -> each.token().id().value());

  @Override
  public Creation create(
      List<NewToken> wanted,
      Preconditions decidedOn,
      Function<Token, AuditEntry> expiry,
      MemoryReservation reservation) {
    TenantId tenantId = wanted.get(0).tenantId();
    return transactions.write(
        records -> {
          records.requireTenant(tenantId);
          records.requireKeys(tenantId);
          return records.hold(decidedOn)
              ? new Batch(records, tenantId, expiry, reservation).create(wanted)
              : new Creation.Stale();
        });
  }

  /** Tokens that one call creates; nothing is stored until all of them can be. */
  private static final class Batch {

    private final RecordChanges records;
    private final TenantId tenantId;
    private final Function<Token, AuditEntry> expiry;
    private final MemoryReservation reservation;
    private final Map<TokenId, TokenRecord> made = new LinkedHashMap<>();
    private final List<AuditEntry> entries = new ArrayList<>();
    private final List<Outcome> outcomes = new ArrayList<>();

    Batch(
        RecordChanges records,
        TenantId tenantId,
        Function<Token, AuditEntry> expiry,
        MemoryReservation reservation) {
      this.records = records;
      this.tenantId = tenantId;
      this.expiry = expiry;
      this.reservation = reservation;
    }

    Creation create(List<NewToken> wanted) {
      for (NewToken each : wanted) {
        Optional<Outcome> outcome =
            each.deduplication().flatMap(this::existing).or(() -> made(each));
        if (outcome.isEmpty()) {
          return new Creation.IdTaken(outcomes.size());
        }
        outcomes.add(outcome.get());
      }
      records.append(entries);
      made.values().forEach(records::put);
      return new Creation.Done(outcomes);
    }

    private Optional<Outcome> existing(Deduplication how) {
      Optional<TokenRecord> known =
          Stream.concat(
                  how.fingerprints().stream()
                      .map(TokenRecord::fingerprintTerm)
                      .flatMap(term -> records.with(Kind.TOKEN, tenantId, term).stream()),
                  made.values().stream().filter(each -> hasOneOf(how.fingerprints(), each)))
              .filter(each -> !records.isOver(each.token()))
              .filter(each -> how.usable().test(each.token()))
              .min(OLDEST_FIRST);
      known.ifPresent(each -> reservation.take(records.present(each).size()));
      known.ifPresent(each -> entries.add(how.entry().apply(each.token())));
      return known.map(each -> new Outcome(records.present(each), false));
    }

    private static boolean hasOneOf(Set<String> fingerprints, TokenRecord stored) {
      return stored.token().fingerprint().map(fingerprints::contains).orElse(false);
    }

    /** Returns a new token; empty if its id is taken. */
    private Optional<Outcome> made(NewToken wanted) {
      Optional<TokenRecord> known =
          Optional.ofNullable(made.get(wanted.id()))
              .or(() -> records.find(Kind.TOKEN, tenantId, wanted.id().value()));
      if (known.filter(each -> !records.isOver(each.token())).isPresent()) {
        return Optional.empty();
      }
      known.ifPresent(expired -> entries.add(expiry.apply(expired.token())));
      entries.add(wanted.entry());
      Provenance provenance = Provenance.created(Optional.of(wanted.createdBy()), records.now());
      Token token =
          new Token(
              wanted.id(),
              tenantId,
              wanted.type(),
              wanted.settings(),
              Optional.of(wanted.content().fingerprint().hex()),
              provenance,
              records.nextTokenVersion(tenantId));
      TokenRecord stored = TokenRecord.of(token, wanted.content(), records.now());
      made.put(wanted.id(), stored);
      return Optional.of(new Outcome(records.present(stored), true));
    }
  }

  @Override
  public Optional<StoredToken> update(
      TenantId tenantId, TokenId id, long version, TokenUpdate update, List<AuditEntry> entries) {
    return transactions.write(
        records -> {
          records.requireKeys(tenantId);
          Optional<TokenRecord> known = at(records, tenantId, id, version);
          known.ifPresent(unused -> records.append(entries));
          Optional<TokenRecord> changed = known.map(each -> changed(records, each, update));
          changed.ifPresent(records::put);
          return changed.map(records::present);
        });
  }

  private static Optional<TokenRecord> at(
      Records records, TenantId tenantId, TokenId id, long version) {
    return records.token(tenantId, id).filter(known -> known.token().version() == version);
  }

  private static TokenRecord changed(RecordChanges records, TokenRecord known, TokenUpdate update) {
    Token old = known.token();
    Provenance provenance =
        old.provenance().modified(Optional.of(update.modifiedBy()), records.now());
    Token token =
        new Token(
            old.id(),
            old.tenantId(),
            old.type(),
            update.settings(),
            update.content().map(content -> content.fingerprint().hex()).or(old::fingerprint),
            provenance,
            records.nextTokenVersion(old.tenantId()));
    return update
        .content()
        .map(content -> TokenRecord.of(token, content, records.now()))
        .map(
            stored ->
                update.keepsShortLivedTime() ? stored.withTimeOf(known, records.now()) : stored)
        .orElseGet(() -> known.with(token));
  }

  @Override
  public Page<StoredToken> list(
      TenantId tenantId,
      TokenQuery query,
      TokenScope scope,
      PageRequest request,
      MemoryReservation reservation) {
    return transactions.read(
        records ->
            records
                .page(
                    Kind.TOKEN,
                    tenantId,
                    TokenRecord.terms(query),
                    each ->
                        !records.isOver(each.token())
                            && query.matches(each.token(), Set.copyOf(each.searchIndexes()))
                            && scope.contains(each.token().traits()),
                    each ->
                        new Match(
                            each.token().provenance().createdAt(),
                            each.token().id().value(),
                            each.stored().size()),
                    request,
                    reservation)
                .map(records::present));
  }

  @Override
  public boolean delete(TenantId tenantId, TokenId id, long version, AuditEntry entry) {
    return transactions.write(
        records -> {
          if (at(records, tenantId, id, version).isEmpty()) {
            return false;
          }
          records.append(entry);
          return records.delete(Kind.TOKEN, tenantId, id.value());
        });
  }

  @Override
  public int deleteExpired(int limit, Function<Token, AuditEntry> entry) {
    return transactions.write(
        records -> {
          List<Token> due =
              records.due(Kind.TOKEN, limit, each -> records.isOver(each.token())).stream()
                  .map(TokenRecord::token)
                  .toList();
          records.append(due.stream().map(entry).toList());
          due.forEach(each -> records.delete(Kind.TOKEN, each.tenantId(), each.id().value()));
          return due.size();
        });
  }

  @Override
  public int deleteExpiredParts(int limit) {
    return transactions.write(
        records -> {
          List<TokenRecord> due =
              records.due(Kind.TOKEN, limit, each -> records.isOver(each.partExpiresAt()));
          due.forEach(each -> records.put(each.withoutPart()));
          return due.size();
        });
  }
}
