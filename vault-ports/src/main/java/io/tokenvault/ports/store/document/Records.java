package io.tokenvault.ports.store.document;

import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.Page;
import io.tokenvault.ports.store.PageRequest;
import io.tokenvault.ports.store.Preconditions;
import io.tokenvault.ports.store.document.Credential.Owner;
import io.tokenvault.ports.store.document.Storage.Selection;
import io.tokenvault.ports.store.document.Storage.Snapshot;
import io.tokenvault.ports.store.model.StoredProxy;
import io.tokenvault.ports.store.model.StoredToken;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/** Reads the documents of one snapshot as records, under the rules that several stores share. */
class Records {

  private final Snapshot snapshot;
  private final RecordJson json;

  Records(Snapshot snapshot, RecordJson json) {
    this.snapshot = snapshot;
    this.json = json;
  }

  Snapshot snapshot() {
    return snapshot;
  }

  Instant now() {
    return snapshot.now();
  }

  boolean isOver(Optional<Instant> end) {
    return end.map(time -> !time.isAfter(now())).orElse(false);
  }

  static Storage.DocumentKey key(Kind<?> kind, TenantId tenantId, String id) {
    return new Storage.DocumentKey(kind.name(), tenantId, id);
  }

  <T extends Record> Optional<T> find(Kind<T> kind, TenantId tenantId, String id) {
    return snapshot.find(key(kind, tenantId, id)).map(body -> json.read(body, kind.type()));
  }

  /** Finds the document that a tenant has one of. */
  <T extends Record> Optional<T> find(Kind<T> kind, TenantId tenantId) {
    return find(kind, tenantId, Kind.ONLY);
  }

  /** Returns all documents of a kind, of all tenants. */
  <T extends Record> List<T> all(Kind<T> kind) {
    return list(kind, Optional.empty(), Optional.empty());
  }

  <T extends Record> List<T> with(Kind<T> kind, TenantId tenantId, String term) {
    return list(kind, Optional.of(tenantId), Optional.of(term));
  }

  private <T extends Record> List<T> list(
      Kind<T> kind, Optional<TenantId> tenantId, Optional<String> term) {
    List<T> found = new ArrayList<>();
    visit(kind, new Selection(kind.name(), tenantId, term, Optional.empty()), found::add);
    return found;
  }

  /** Passes each document of a tenant to a visitor until that returns false. */
  <T extends Record> void visit(Kind<T> kind, TenantId tenantId, Predicate<T> visitor) {
    Optional<TenantId> tenant = Optional.of(tenantId);
    visit(kind, new Selection(kind.name(), tenant, Optional.empty(), Optional.empty()), visitor);
  }

  private <T extends Record> void visit(Kind<T> kind, Selection selection, Predicate<T> visitor) {
    snapshot.scan(selection, body -> visitor.test(json.read(body, kind.type())));
  }

  /** Returns due documents of all tenants that meet a condition, earliest first. */
  <T extends Record> List<T> due(Kind<T> kind, int limit, Predicate<T> condition) {
    List<T> due = new ArrayList<>();
    visit(
        kind,
        new Selection(kind.name(), Optional.empty(), Optional.empty(), Optional.of(now())),
        each -> {
          if (due.size() < limit && condition.test(each)) {
            due.add(each);
          }
          return due.size() < limit;
        });
    return due;
  }

  /** A record on some page of a list. */
  record Match(Instant createdAt, String id, long size) {
    private static final Comparator<Match> NEWEST_FIRST =
        Comparator.comparing(Match::createdAt).reversed().thenComparing(Match::id);
  }

  /**
   * Returns a page of the records that meet a condition, newest first, then by id. Only the page is
   * in memory as a whole, and only after its size was reserved.
   *
   * @param terms finds the records; empty for all of the tenant
   * @param match returns the place and size of a record
   */
  <T extends Record> Page<T> page(
      Kind<T> kind,
      TenantId tenantId,
      Optional<Set<String>> terms,
      Predicate<T> condition,
      Function<T, Match> match,
      PageRequest request,
      MemoryReservation reservation) {
    Map<String, Match> matches = new HashMap<>();
    Predicate<T> visitor =
        each -> {
          if (condition.test(each)) {
            Match found = match.apply(each);
            matches.put(found.id(), found);
          }
          return true;
        };
    if (terms.isEmpty()) {
      visit(kind, tenantId, visitor);
    } else {
      Optional<TenantId> tenant = Optional.of(tenantId);
      for (String term : terms.get()) {
        visit(
            kind, new Selection(kind.name(), tenant, Optional.of(term), Optional.empty()), visitor);
      }
    }
    List<Match> page =
        matches.values().stream()
            .sorted(Match.NEWEST_FIRST)
            .skip(request.offset())
            .limit(request.size())
            .toList();
    reservation.take(page.stream().mapToLong(Match::size).sum());
    return new Page<>(
        page.stream().map(each -> find(kind, tenantId, each.id()).orElseThrow()).toList(),
        matches.size(),
        request);
  }

  /** Finds an application that has not expired. */
  Optional<Application> application(TenantId tenantId, ApplicationId id) {
    return find(Kind.APPLICATION, tenantId, id.toString()).filter(each -> !each.isExpired(now()));
  }

  Optional<StoredProxy> proxy(TenantId tenantId, ProxyId id) {
    return find(Kind.PROXY, tenantId, id.toString());
  }

  /** Finds a token that has not expired. */
  Optional<TokenRecord> token(TenantId tenantId, TokenId id) {
    return find(Kind.TOKEN, tenantId, id.value()).filter(each -> !isOver(each.token()));
  }

  /** Returns the number of characters of a token's document; 0 if there is none. */
  long size(TenantId tenantId, TokenId id) {
    return snapshot.size(key(Kind.TOKEN, tenantId, id.value()));
  }

  boolean isOver(Token token) {
    return isOver(token.settings().expiresAt());
  }

  /** Returns a token without the part of its data that has expired. */
  StoredToken present(TokenRecord stored) {
    return (isOver(stored.partExpiresAt()) ? stored.withoutPart() : stored).stored();
  }

  /** Finds the first of these hashes that is stored, in any tenant. */
  Optional<Credential> credential(Owner kind, List<KeyHash> hashes) {
    return hashes.stream()
        .map(hash -> Optional.of(Credential.term(kind, hash)))
        .flatMap(term -> list(Kind.CREDENTIAL, Optional.empty(), term).stream())
        .findFirst();
  }

  /**
   * Requires that a tenant exists.
   *
   * @throws RefusedException with cause {@code NOT_FOUND}
   */
  void requireTenant(TenantId tenantId) {
    if (find(Kind.TENANT, tenantId).isEmpty()) {
      throw RefusedException.notFound();
    }
  }

  /**
   * Requires that a tenant's keys are not destroyed.
   *
   * @throws RefusedException with cause {@code TENANT_SHREDDED}
   */
  void requireKeys(TenantId tenantId) {
    if (find(Kind.KEYS, tenantId).map(TenantKeys::areDestroyed).orElse(false)) {
      throw RefusedException.tenantShredded();
    }
  }

  boolean hold(Preconditions versions) {
    TenantId tenantId = versions.tenantId();
    return !isOver(versions.until())
        && keysHold(versions)
        && versions
            .egress()
            .map(version -> has(version, find(Kind.EGRESS, tenantId).map(each -> each.version())))
            .orElse(true)
        && allHold(
            versions.applications(), id -> application(tenantId, id).map(Application::version))
        && allHold(
            versions.proxies(), id -> proxy(tenantId, id).map(each -> each.proxy().version()))
        && allHold(
            versions.tokens(), id -> token(tenantId, id).map(each -> each.token().version()));
  }

  private static <K> boolean allHold(Map<K, Long> expected, Function<K, Optional<Long>> version) {
    return expected.entrySet().stream()
        .allMatch(each -> has(each.getValue(), version.apply(each.getKey())));
  }

  private static boolean has(long expected, Optional<Long> version) {
    return version.map(known -> known == expected).orElse(false);
  }

  private boolean keysHold(Preconditions versions) {
    if (!versions.keys() && versions.keyCount().isEmpty()) {
      return true;
    }
    return find(Kind.KEYS, versions.tenantId())
        .filter(known -> !known.areDestroyed())
        .filter(
            known -> versions.keyCount().map(count -> count == known.keys().size()).orElse(true))
        .isPresent();
  }
}
