package io.tokenvault.server.crypto;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import com.google.crypto.tink.Aead;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.WrappedKey;
import java.security.GeneralSecurityException;

/**
 * Unwraps tenants' keys as functions of one kind. The keys that are used most stay in memory; a key
 * whose wrapped bytes are not given any more is never used. All threads may share one instance.
 *
 * @param <P> what the keys do
 */
final class UnwrappedKeys<P> {

  private final Aead master;
  private final Class<P> kind;
  private final LoadingCache<CacheKey, P> unwrapped;

  /**
   * @param capacity how many keys stay unwrapped
   */
  UnwrappedKeys(Aead master, Class<P> kind, int capacity) {
    this.master = master;
    this.kind = kind;
    this.unwrapped =
        Caffeine.newBuilder().maximumSize(capacity).executor(Runnable::run).build(this::read);
  }

  /**
   * @throws IllegalStateException if the key does not unwrap, or is of another kind
   */
  P unwrap(TenantId tenantId, WrappedKey key) {
    return unwrapped.get(new CacheKey(tenantId, key));
  }

  private P read(CacheKey cacheKey) {
    WrappedKey key = cacheKey.key();
    try {
      return TenantKeyset.unwrap(master, cacheKey.tenantId(), key).primitive(kind);
    } catch (GeneralSecurityException e) {
      throw unusable(key);
    }
  }

  /** Without a cause: that may name what it found. */
  static IllegalStateException unusable(WrappedKey key) {
    return new IllegalStateException(
        "the tenant's "
            + key.purpose()
            + " key (version "
            + key.version()
            + ") is not usable: it was changed, moved, or wrapped under another master keyset");
  }

  /** Equal if the wrapped bytes are, so that a key that was replaced is not found. */
  private record CacheKey(TenantId tenantId, WrappedKey key) {}
}
