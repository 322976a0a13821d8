package io.tokenvault.ports.usecase.proxy;

import io.tokenvault.domain.proxy.Proxy;
import io.tokenvault.domain.proxy.TransformCode;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.runtime.CompiledTransform;

/** A transform of the invoked proxy, decrypted on demand. */
public final class ProxyTransform {

  private final StoredTransforms all;
  private final TransformKind kind;

  ProxyTransform(StoredTransforms all, TransformKind kind) {
    this.all = all;
    this.kind = kind;
  }

  public TenantId tenantId() {
    return all.proxy().tenantId();
  }

  public TransformKind kind() {
    return kind;
  }

  /** Returns a cache key for the compiled program. Equal keys imply identical programs. */
  public String key() {
    Proxy proxy = all.proxy();
    return String.join(
        "/", proxy.id().toString(), String.valueOf(proxy.version()), kind.name(), compiler());
  }

  /** Returns the name of the compiler that produced the program. */
  public String compiler() {
    return all.stored().transforms().get(kind).compiler();
  }

  /** Decrypts the transform and returns its compiled form. */
  public CompiledTransform compiled() {
    return all.decrypt(kind).compiled();
  }

  /** Decrypts the transform and returns its source as the author wrote it. */
  public TransformCode code() {
    return all.decrypt(kind).code();
  }
}
