package io.tokenvault.server.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Weigher;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.LookupCache;
import io.tokenvault.ports.store.LookupRequest;
import io.tokenvault.ports.store.LookupResult;
import io.tokenvault.ports.store.LookupResult.LoadedCaller;
import io.tokenvault.ports.store.LookupResult.LoadedProxy;
import io.tokenvault.ports.store.RequestLookup;
import io.tokenvault.ports.store.model.StoredToken;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Remembers callers, proxies and tokens for some seconds and up to a bound of memory. Whether they
 * still hold is for others to find out: a short life only bounds how long what nobody asks for any
 * more is kept, and how long a key that was wrapped anew is known by its old wrapping.
 */
public final class CaffeineLookupCache implements LookupCache {

  private static final Duration LIFE = Duration.ofSeconds(10);

  /** In bytes, where the heap is large enough. */
  private static final long MOST = 64L << 20;

  /** Of a small heap. */
  private static final int HEAP_SHARE = 8;

  private static final long ALL = Math.min(MOST, Runtime.getRuntime().maxMemory() / HEAP_SHARE);
  private static final long CALLER_BYTES = ALL / 8;
  private static final long PROXY_BYTES = 3 * ALL / 8;
  private static final long TOKEN_BYTES = ALL / 2;

  private final RequestLookup store;
  private final Cache<List<KeyHash>, KnownCaller> callers =
      bounded(CALLER_BYTES, (key, known) -> CacheWeights.of(known.caller()));
  private final Cache<List<KeyHash>, LoadedProxy> proxies =
      bounded(PROXY_BYTES, (key, proxy) -> CacheWeights.of(proxy));
  private final Cache<OfTenant, StoredToken> tokens =
      bounded(TOKEN_BYTES, (key, token) -> CacheWeights.of(token));

  public CaffeineLookupCache(RequestLookup store) {
    this.store = store;
  }

  private static <K, V> Cache<K, V> bounded(long bytes, Weigher<K, V> weigher) {
    return Caffeine.newBuilder()
        .maximumWeight(bytes)
        .weigher(weigher)
        .expireAfterWrite(LIFE)
        // On the thread that asks: there is little to do.
        .executor(Runnable::run)
        .build();
  }

  @Override
  public Recalled recall(LookupRequest lookup, MemoryReservation room) {
    return fromMemory(lookup)
        .map(loaded -> new Recalled(loaded, true))
        .orElseGet(() -> new Recalled(fromStore(lookup, room), false));
  }

  private Optional<LookupResult> fromMemory(LookupRequest lookup) {
    if (lookup.acting().isPresent() || (lookup.apiKey().isEmpty() && lookup.proxyKey().isEmpty())) {
      return Optional.empty();
    }
    KnownCaller caller =
        lookup.apiKey().isEmpty() ? KnownCaller.NOBODY : callers.getIfPresent(lookup.apiKey());
    if (caller == null) {
      return Optional.empty();
    }
    Optional<LoadedProxy> proxy =
        lookup.proxyKey().isEmpty()
            ? Optional.empty()
            : Optional.ofNullable(proxies.getIfPresent(lookup.proxyKey()));
    if (proxy.isEmpty() && !lookup.proxyKey().isEmpty()) {
      return Optional.empty();
    }
    return tokens(caller, lookup)
        .map(found -> new LookupResult(caller.now(), caller.found(), proxy, found));
  }

  /** Empty unless all are remembered. */
  private Optional<Map<TokenId, StoredToken>> tokens(KnownCaller caller, LookupRequest lookup) {
    if (lookup.tokens().isEmpty()) {
      return Optional.of(Map.of());
    }
    Map<TokenId, StoredToken> found = new HashMap<>();
    for (TokenId id : lookup.tokens()) {
      StoredToken token =
          caller.found().isEmpty()
              ? null
              : tokens.getIfPresent(new OfTenant(caller.caller().keys().tenantId(), id));
      if (token == null) {
        return Optional.empty();
      }
      found.put(id, token);
    }
    return Optional.of(found);
  }

  private LookupResult fromStore(LookupRequest lookup, MemoryReservation room) {
    LookupResult loaded = store.load(lookup, room);
    loaded
        .caller()
        .filter(caller -> !caller.expired() && isFoundByCurrent(caller.matched(), lookup.apiKey()))
        .ifPresent(caller -> callers.put(lookup.apiKey(), KnownCaller.of(caller, loaded.now())));
    loaded
        .proxy()
        .filter(proxy -> isFoundByCurrent(Optional.of(proxy.matched()), lookup.proxyKey()))
        .ifPresent(proxy -> proxies.put(lookup.proxyKey(), proxy));
    loaded
        .tokens()
        .forEach(
            (id, token) -> {
              if (token.shortLived().isEmpty()) {
                tokens.put(new OfTenant(token.token().tenantId(), id), token);
              }
            });
    return loaded;
  }

  /** Who is found by an older hash is looked up until the hash was renewed. */
  private static boolean isFoundByCurrent(Optional<KeyHash> matched, List<KeyHash> hashes) {
    return matched.filter(hash -> hash.equals(hashes.get(0))).isPresent();
  }

  @Override
  public void forget(LookupRequest lookup) {
    KnownCaller caller = callers.getIfPresent(lookup.apiKey());
    if (caller != null) {
      TenantId tenantId = caller.caller().keys().tenantId();
      lookup.tokens().forEach(id -> tokens.invalidate(new OfTenant(tenantId, id)));
    }
    callers.invalidate(lookup.apiKey());
    proxies.invalidate(lookup.proxyKey());
  }

  private record OfTenant(TenantId tenantId, TokenId id) {}

  /**
   * A caller, and when it was looked up.
   *
   * @param caller null for nobody
   * @param at by the store's clock
   * @param nanos by this machine's, for what has passed since
   */
  private record KnownCaller(LoadedCaller caller, Instant at, long nanos) {

    static final KnownCaller NOBODY = new KnownCaller(null, Instant.EPOCH, System.nanoTime());

    static KnownCaller of(LoadedCaller caller, Instant now) {
      return new KnownCaller(caller, now, System.nanoTime());
    }

    Optional<LoadedCaller> found() {
      return Optional.ofNullable(caller);
    }

    Instant now() {
      return at.plusNanos(System.nanoTime() - nanos);
    }
  }
}
