package io.tokenvault.ports.usecase.proxy;

import io.tokenvault.domain.proxy.Proxy;
import io.tokenvault.domain.proxy.TransformCode;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.runtime.CompiledTransform;
import io.tokenvault.ports.store.model.StoredProxy;
import java.util.function.Supplier;

/** A transform of the invoked proxy, decrypted on demand. */
public final class ProxyTransform {

  private final StoredProxy stored;
  private final TransformKind kind;
  private final Supplier<TenantKeys> keys;
  private final ProxyCipher proxyCipher;

  /**
   * Creates the transform of this kind, which the proxy must have.
   *
   * @param keys supplies the keys when the transform is decrypted
   */
  ProxyTransform(
      StoredProxy stored, TransformKind kind, Supplier<TenantKeys> keys, ProxyCipher proxyCipher) {
    this.stored = stored;
    this.kind = kind;
    this.keys = keys;
    this.proxyCipher = proxyCipher;
  }

  public TenantId tenantId() {
    return stored.proxy().tenantId();
  }

  public TransformKind kind() {
    return kind;
  }

  /** Returns a cache key for the compiled program. Equal keys imply identical programs. */
  public String key() {
    Proxy proxy = stored.proxy();
    return String.join(
        "/", proxy.id().toString(), String.valueOf(proxy.version()), kind.name(), compiler());
  }

  /** Returns the name of the compiler that produced the program. */
  public String compiler() {
    return stored.transforms().get(kind).compiler();
  }

  /** Decrypts the transform and returns its compiled form. */
  public CompiledTransform compiled() {
    return decrypt().compiled();
  }

  /** Decrypts the transform and returns its source as the author wrote it. */
  public TransformCode code() {
    return decrypt().code();
  }

  private CheckedTransform decrypt() {
    return proxyCipher.decryptTransform(keys.get(), stored, kind);
  }
}
