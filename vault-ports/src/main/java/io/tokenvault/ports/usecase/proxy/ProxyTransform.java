package io.tokenvault.ports.usecase.proxy;

import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.proxy.TransformCode;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.runtime.CompiledTransform;
import java.util.function.Supplier;

/** A transform of the invoked proxy, decrypted on demand. */
public final class ProxyTransform {

  private final TenantId tenantId;
  private final ProxyId proxyId;
  private final long version;
  private final TransformKind kind;
  private final String compiler;
  private final Supplier<CheckedTransform> content;

  ProxyTransform(
      TenantId tenantId,
      ProxyId proxyId,
      long version,
      TransformKind kind,
      String compiler,
      Supplier<CheckedTransform> content) {
    this.tenantId = tenantId;
    this.proxyId = proxyId;
    this.version = version;
    this.kind = kind;
    this.compiler = compiler;
    this.content = content;
  }

  public TenantId tenantId() {
    return tenantId;
  }

  public TransformKind kind() {
    return kind;
  }

  /** Returns a cache key for the compiled program. Equal keys imply identical programs. */
  public String key() {
    return String.join("/", proxyId.toString(), String.valueOf(version), kind.name(), compiler);
  }

  /** Returns the name of the compiler that produced the program. */
  public String compiler() {
    return compiler;
  }

  /** Decrypts the transform and returns its compiled form. */
  public CompiledTransform compiled() {
    return content.get().compiled();
  }

  /** Decrypts the transform and returns its source as the author wrote it. */
  public TransformCode code() {
    return content.get().code();
  }
}
