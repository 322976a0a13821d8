package io.tokenvault.server.crypto;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.Configuration;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.TinkProtoKeysetFormat;
import com.google.crypto.tink.aead.AeadConfig2026;
import com.google.crypto.tink.aead.PredefinedAeadParameters;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.spi.WrappedKey;
import java.security.GeneralSecurityException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Makes and unwraps the data keys of tenants. A wrapped key is a Tink keyset (AES-256-GCM),
 * encrypted under the master keyset and bound to tenant and version. The keys used last stay
 * unwrapped in memory, found by tenant, version and all wrapped bytes.
 */
final class DataKeys {

  private static final Configuration AEAD = AeadConfig2026.get();

  private final Aead master;
  private final Map<CacheKey, Aead> unwrapped;

  /**
   * @param capacity how many keys stay unwrapped
   */
  DataKeys(Aead master, int capacity) {
    this.master = master;
    this.unwrapped = new LeastRecentlyUsed<>(capacity);
  }

  WrappedKey create(TenantId tenantId, int version) {
    try {
      KeysetHandle key = KeysetHandle.generateNew(PredefinedAeadParameters.AES256_GCM, AEAD);
      byte[] boundTo = AssociatedData.ofDataKey(tenantId, version);
      return new WrappedKey(
          version, TinkProtoKeysetFormat.serializeEncryptedKeyset(key, master, boundTo, AEAD));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("no data key can be made", e);
    }
  }

  /**
   * @throws GeneralSecurityException if the key was changed, or wrapped for another tenant or
   *     version, or under another master keyset
   */
  Aead unwrap(TenantId tenantId, WrappedKey key) throws GeneralSecurityException {
    CacheKey cacheKey = new CacheKey(tenantId, key);
    Optional<Aead> known = known(cacheKey);
    if (known.isPresent()) {
      return known.get();
    }
    byte[] boundTo = AssociatedData.ofDataKey(tenantId, key.version());
    KeysetHandle keyset =
        TinkProtoKeysetFormat.parseEncryptedKeyset(key.wrapped(), master, boundTo, AEAD);
    return remember(cacheKey, keyset.getPrimitive(AEAD, Aead.class));
  }

  private Optional<Aead> known(CacheKey key) {
    synchronized (unwrapped) {
      return Optional.ofNullable(unwrapped.get(key));
    }
  }

  private Aead remember(CacheKey key, Aead primitive) {
    synchronized (unwrapped) {
      unwrapped.put(key, primitive);
    }
    return primitive;
  }

  /** Equal if the wrapped bytes are, so that a key that was replaced is not found. */
  private record CacheKey(TenantId tenantId, WrappedKey key) {}

  /** Forgets the entry that was read longest ago once there are too many. */
  private static final class LeastRecentlyUsed<K, V> extends LinkedHashMap<K, V> {

    private static final long serialVersionUID = 1L;
    private static final float LOAD_FACTOR = 0.75f;

    private final int capacity;

    LeastRecentlyUsed(int capacity) {
      super(16, LOAD_FACTOR, true);
      this.capacity = capacity;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
      return size() > capacity;
    }
  }
}
