package io.tokenvault.server.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Weigher;
import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.crypto.EncryptedValue;
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
 * Caches callers, proxies and tokens for ten seconds and in bounded memory.
 *
 * <p>Entries may be stale: whether they are still valid is decided by the statement that records a
 * request. The short lifetime only limits how long unused entries occupy memory and how long a
 * rewrapped key is known in its old form. The cache uses an eighth of the heap, at most 64 MiB.
 * Token data in it stays encrypted.
 */
public final class CaffeineLookupCache implements LookupCache {

  private static final Duration LIFETIME = Duration.ofSeconds(10);

  /** Limit in bytes, if the heap is large enough. */
  private static final long MAX_BYTES = 64L << 20;

  /** Fraction of a small heap that the cache may use. */
  private static final int HEAP_SHARE = 8;

  private static final long TOTAL_BYTES =
      Math.min(MAX_BYTES, Runtime.getRuntime().maxMemory() / HEAP_SHARE);
  private static final long CALLER_BYTES = TOTAL_BYTES / 8;
  private static final long PROXY_BYTES = 3 * TOTAL_BYTES / 8;
  private static final long TOKEN_BYTES = TOTAL_BYTES / 2;

  private final RequestLookup store;
  private final Cache<List<KeyHash>, KnownCaller> callers =
      bounded(CALLER_BYTES, (key, known) -> Weights.of(known.caller()));
  private final Cache<List<KeyHash>, LoadedProxy> proxies =
      bounded(PROXY_BYTES, (key, proxy) -> Weights.of(proxy));
  private final Cache<OfTenant, StoredToken> tokens =
      bounded(TOKEN_BYTES, (key, token) -> Weights.of(token));

  public CaffeineLookupCache(RequestLookup store) {
    this.store = store;
  }

  /** Creates a cache with a limit on the sum of its weights. */
  private static <K, V> Cache<K, V> bounded(long bytes, Weigher<K, V> weigher) {
    return Caffeine.newBuilder()
        .maximumWeight(bytes)
        .weigher(weigher)
        .expireAfterWrite(LIFETIME)
        // Maintenance runs on the calling thread, since there is little to do.
        .executor(Runnable::run)
        .build();
  }

  /**
   * {@inheritDoc}
   *
   * <p>A look-up is served from the cache only if all of its parts are cached.
   */
  @Override
  public Found lookUp(LookupRequest lookup, MemoryReservation reservation) {
    return fromCache(lookup)
        .map(loaded -> new Found(loaded, true))
        .orElseGet(() -> new Found(fromStore(lookup, reservation), false));
  }

  /**
   * Returns the cached result; empty if any part is missing or the caller has no key and acts for
   * an application.
   */
  private Optional<LookupResult> fromCache(LookupRequest lookup) {
    if (lookup.acting().isPresent() || (lookup.apiKey().isEmpty() && lookup.proxyKey().isEmpty())) {
      return Optional.empty();
    }
    KnownCaller caller =
        lookup.apiKey().isEmpty() ? KnownCaller.NO_CALLER : callers.getIfPresent(lookup.apiKey());
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

  /** Returns the tokens of the look-up; empty unless all of them are cached. */
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

  /**
   * Loads from the store and caches the parts that may be cached.
   *
   * <p>Expired callers and tokens with short-lived data are not cached.
   */
  private LookupResult fromStore(LookupRequest lookup, MemoryReservation reservation) {
    LookupResult loaded = store.load(lookup, reservation);
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

  /**
   * Returns whether a record has the hash of the current key. Others are looked up until their hash
   * has been renewed.
   */
  private static boolean isFoundByCurrent(Optional<KeyHash> matched, List<KeyHash> hashes) {
    return matched.filter(hash -> hash.equals(hashes.get(0))).isPresent();
  }

  /**
   * {@inheritDoc}
   *
   * <p>The tokens are removed only if the caller is cached, since they are cached by tenant.
   */
  @Override
  public void invalidate(LookupRequest lookup) {
    KnownCaller caller = callers.getIfPresent(lookup.apiKey());
    if (caller != null) {
      TenantId tenantId = caller.caller().keys().tenantId();
      lookup.tokens().forEach(id -> tokens.invalidate(new OfTenant(tenantId, id)));
    }
    callers.invalidate(lookup.apiKey());
    proxies.invalidate(lookup.proxyKey());
  }

  /** The key of a cached token, so that no tenant finds a token of another. */
  private record OfTenant(TenantId tenantId, TokenId id) {}

  /**
   * A caller and the time of its look-up.
   *
   * @param caller null for a request without a key
   * @param at the time by the clock of the store
   * @param nanos the time by the clock of this machine, to measure the time since then
   */
  private record KnownCaller(LoadedCaller caller, Instant at, long nanos) {

    static final KnownCaller NO_CALLER = new KnownCaller(null, Instant.EPOCH, System.nanoTime());

    static KnownCaller of(LoadedCaller caller, Instant now) {
      return new KnownCaller(caller, now, System.nanoTime());
    }

    Optional<LoadedCaller> found() {
      return Optional.ofNullable(caller);
    }

    /** Returns the estimated current time of the store's clock. */
    Instant now() {
      return at.plusNanos(System.nanoTime() - nanos);
    }
  }

  /**
   * Estimates the memory of cached objects in bytes.
   *
   * <p>The estimates are rough but grow with everything whose size a tenant chooses: rules, keys,
   * data and metadata.
   */
  private static final class Weights {

    private static final int OBJECTS = 1000;
    private static final int RULE = 500;
    private static final int KEY = 300;
    private static final int BINDING = 300;

    private Weights() {}

    /**
     * Returns the weight of a caller: its rules, the keys of its tenant and the bindings of
     * containers.
     */
    static int of(LoadedCaller caller) {
      return OBJECTS
          + rules(caller.application())
          + caller.delegator().map(Weights::rules).orElse(0)
          + KEY * caller.keys().keys().size()
          + BINDING * caller.egress().bindings().size();
    }

    private static int rules(Application application) {
      return RULE * (1 + application.policy().rules().size());
    }

    /** Returns the weight of a proxy with its encrypted configuration and transforms. */
    static int of(LoadedProxy loaded) {
      return OBJECTS
          + KEY * loaded.keys().keys().size()
          + loaded.proxy().key().size()
          + loaded.proxy().configuration().size()
          + loaded.proxy().transforms().values().stream()
              .mapToInt(transform -> transform.content().size())
              .sum();
    }

    /** Returns the weight of a token with its encrypted data and its metadata. */
    static int of(StoredToken stored) {
      return OBJECTS
          + stored.data().size()
          + stored.expressions().map(EncryptedValue::size).orElse(0)
          + texts(stored.token().settings().metadata());
    }

    private static int texts(Map<String, String> metadata) {
      return metadata.entrySet().stream()
          .mapToInt(each -> 100 + each.getKey().length() + each.getValue().length())
          .sum();
    }
  }
}
