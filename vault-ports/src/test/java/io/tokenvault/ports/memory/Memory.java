package io.tokenvault.ports.memory;

import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.RecordedEntry;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.proxy.TenantEgress;
import io.tokenvault.domain.tenant.Tenant;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.store.Page;
import io.tokenvault.ports.store.PageRequest;
import io.tokenvault.ports.store.Preconditions;
import io.tokenvault.ports.store.model.StoredProxy;
import io.tokenvault.ports.store.model.StoredToken;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** What the in-memory adapters share. Every call holds the one lock, so that it is atomic. */
final class Memory {

  final Map<TenantId, Tenant> tenants = new LinkedHashMap<>();
  final Map<TenantId, TenantKeys> keys = new HashMap<>();
  final Map<TenantId, TenantEgress> egress = new HashMap<>();
  final Map<InTenant<ApplicationId>, Application> applications = new HashMap<>();
  final Map<KeyHash, InTenant<ApplicationId>> apiKeys = new HashMap<>();
  final Map<KeyHash, Instant> apiKeyEnds = new HashMap<>();
  final Map<InTenant<ApplicationId>, Instant> lastUses = new HashMap<>();
  final Map<InTenant<ProxyId>, StoredProxy> proxies = new HashMap<>();
  final Map<KeyHash, InTenant<ProxyId>> proxyKeys = new HashMap<>();
  final Map<InTenant<TokenId>, KeptToken> tokens = new HashMap<>();
  final Map<InTenant<UUID>, KeptRequest> requests = new HashMap<>();
  final List<RecordedEntry> log = new ArrayList<>();

  /** Places of requests whose work has not ended; not behind the one lock. */
  final Set<String> beingWorkedOn = ConcurrentHashMap.newKeySet();

  private final Set<Long> durable = new HashSet<>();
  private final InstantSource clock;
  private long sequence;
  private long tokenVersion;
  private Duration ahead = Duration.ZERO;
  private boolean broken;
  private boolean entriesRefused;

  Memory(InstantSource clock) {
    this.clock = clock;
  }

  /** Identifies something of a tenant. */
  record InTenant<K>(TenantId tenantId, K id) {}

  synchronized boolean isBroken() {
    return broken;
  }

  synchronized void breakConnection() {
    broken = true;
  }

  synchronized void refuseEntries() {
    entriesRefused = true;
  }

  synchronized void putClockForward(Instant moment) {
    if (now().isBefore(moment)) {
      ahead = ahead.plus(Duration.between(now(), moment));
    }
  }

  synchronized void mend() {
    broken = false;
    entriesRefused = false;
  }

  synchronized <T> T read(Supplier<T> work) {
    if (broken) {
      throw RefusedException.unavailable(null);
    }
    return work.get();
  }

  /** Work that is going to write entries, or finds nothing to do. */
  synchronized <T> T change(Supplier<T> work) {
    return read(work);
  }

  /** Undoes what is changed from now on of applications, proxies and tokens, and their entries. */
  Runnable changes() {
    List<Runnable> undoing = new ArrayList<>();
    for (Map<?, ?> each :
        List.of(applications, apiKeys, apiKeyEnds, lastUses, proxies, proxyKeys, tokens)) {
      undoing.add(undo(each));
    }
    long before = sequence;
    return () -> {
      undoing.forEach(Runnable::run);
      log.removeIf(each -> each.sequence() > before && !durable.contains(each.sequence()));
    };
  }

  private static <K, V> Runnable undo(Map<K, V> map) {
    Map<K, V> before = new HashMap<>(map);
    return () -> {
      map.clear();
      map.putAll(before);
    };
  }

  /** To be called before anything is changed, which cannot fail then. */
  void requireEntries() {
    if (entriesRefused) {
      throw RefusedException.unavailable(null);
    }
  }

  void requireTenant(TenantId tenantId) {
    if (!tenants.containsKey(tenantId)) {
      throw RefusedException.notFound();
    }
  }

  void requireKeys(TenantId tenantId) {
    TenantKeys known = keys.get(tenantId);
    if (known != null && known.areDestroyed()) {
      throw RefusedException.tenantShredded();
    }
  }

  Instant now() {
    return clock.instant().plus(ahead).truncatedTo(ChronoUnit.MICROS);
  }

  boolean isOver(Optional<Instant> expiresAt) {
    return expiresAt.map(time -> !time.isAfter(now())).orElse(false);
  }

  void add(Collection<AuditEntry> entries) {
    Instant now = now();
    entries.forEach(entry -> log.add(new RecordedEntry(entry, now, ++sequence)));
  }

  /** By themselves, whatever is undone. */
  void addDurably(Collection<AuditEntry> entries) {
    long before = sequence;
    add(entries);
    for (long each = before + 1; each <= sequence; each++) {
      durable.add(each);
    }
  }

  void add(AuditEntry entry) {
    add(List.of(entry));
  }

  long nextTokenVersion() {
    return ++tokenVersion;
  }

  Optional<Application> application(TenantId tenantId, ApplicationId id) {
    return Optional.ofNullable(applications.get(new InTenant<>(tenantId, id)))
        .filter(application -> !isOver(application.expiresAt()));
  }

  /** Without the part of its data whose time has come. */
  Optional<StoredToken> token(TenantId tenantId, TokenId id) {
    return Optional.ofNullable(tokens.get(new InTenant<>(tenantId, id)))
        .filter(kept -> !isOver(kept.token().settings().expiresAt()))
        .map(this::present);
  }

  StoredToken present(KeptToken kept) {
    return isOver(kept.partExpiresAt()) ? kept.withoutPart().stored() : kept.stored();
  }

  static <T> Page<T> page(List<T> matching, PageRequest request) {
    List<T> items = matching.stream().skip(request.offset()).limit(request.size()).toList();
    return new Page<>(items, matching.size(), request);
  }

  /** As text: {@link UUID#compareTo} compares signed numbers. */
  static Comparator<UUID> byText() {
    return Comparator.comparing(UUID::toString);
  }

  /** Whether all of it holds still. */
  boolean hold(Preconditions versions) {
    TenantId tenantId = versions.tenantId();
    return !isOver(versions.until())
        && (!versions.keys() || hasKeys(tenantId))
        && versions.keyCount().map(count -> count == keys.get(tenantId).keys().size()).orElse(true)
        && versions.egress().map(version -> isEgress(tenantId, version)).orElse(true)
        && versions.applications().entrySet().stream()
            .allMatch(
                wanted ->
                    application(tenantId, wanted.getKey())
                        .filter(known -> known.version() == wanted.getValue())
                        .isPresent())
        && versions.proxies().entrySet().stream()
            .allMatch(
                wanted ->
                    Optional.ofNullable(proxies.get(new InTenant<>(tenantId, wanted.getKey())))
                        .filter(known -> known.proxy().version() == wanted.getValue())
                        .isPresent())
        && versions.tokens().entrySet().stream()
            .allMatch(
                wanted ->
                    token(tenantId, wanted.getKey())
                        .filter(known -> known.token().version() == wanted.getValue())
                        .isPresent());
  }

  private boolean isEgress(TenantId tenantId, long version) {
    TenantEgress known = egress.get(tenantId);
    return known != null && known.version() == version;
  }

  private boolean hasKeys(TenantId tenantId) {
    return Optional.ofNullable(keys.get(tenantId))
        .map(known -> !known.areDestroyed())
        .orElse(false);
  }
}
