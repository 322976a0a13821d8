package io.tokenvault.server.crypto;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import com.google.crypto.tink.Aead;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.WrappedKey;
import java.security.GeneralSecurityException;

/**
 * Unwraps keys of tenants and caches the primitives that are used most.
 *
 * <p>The wrapped bytes are part of the cache key, so a key that was replaced or rewrapped is never
 * used once callers pass its new form. Threads may share an instance.
 *
 * @param <P> the primitive that the keys provide
 */
final class UnwrappedKeys<P> {

  private final Aead master;
  private final Class<P> kind;
  private final LoadingCache<CacheKey, P> unwrapped;

  /**
   * Creates an empty cache.
   *
   * @param kind the class of the primitive
   * @param capacity the number of keys that stay unwrapped
   */
  UnwrappedKeys(Aead master, Class<P> kind, int capacity) {
    this.master = master;
    this.kind = kind;
    this.unwrapped =
        Caffeine.newBuilder().maximumSize(capacity).executor(Runnable::run).build(this::read);
  }

  /**
   * Returns the primitive of a wrapped key, from the cache if possible.
   *
   * @throws IllegalStateException if the key cannot be unwrapped or is of another kind
   */
  P unwrap(TenantId tenantId, WrappedKey key) {
    return unwrapped.get(new CacheKey(tenantId, key));
  }

  /** Unwraps a key that is not cached; the cache calls this once for concurrent requests. */
  private P read(CacheKey cacheKey) {
    WrappedKey key = cacheKey.key();
    try {
      return TenantKeyset.unwrap(master, cacheKey.tenantId(), key).primitive(kind);
    } catch (GeneralSecurityException e) {
      throw unusable(key);
    }
  }

  /**
   * Returns the failure for a key that cannot be unwrapped. It has no cause, since that might quote
   * key material.
   */
  static IllegalStateException unusable(WrappedKey key) {
    return new IllegalStateException(
        "the tenant's "
            + key.purpose()
            + " key (version "
            + key.version()
            + ") is not usable: it was changed, moved, or wrapped under another master keyset");
  }

  /** A key of the cache. It is equal only for identical wrapped bytes. */
  private record CacheKey(TenantId tenantId, WrappedKey key) {}
}
