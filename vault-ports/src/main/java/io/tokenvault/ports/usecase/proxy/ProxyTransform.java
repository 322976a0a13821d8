package io.tokenvault.ports.usecase.proxy;

import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.proxy.TransformCode;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.runtime.CompiledTransform;
import java.util.function.Supplier;

/** A transform of the proxy that is invoked, opened only if it has to be. */
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

  /** Names what was compiled by whom: the same key, the same program. */
  public String key() {
    return String.join("/", proxyId.toString(), String.valueOf(version), kind.name(), compiler);
  }

  /** What compiled it. */
  public String compiler() {
    return compiler;
  }

  /** What runs. */
  public CompiledTransform compiled() {
    return content.get().compiled();
  }

  /** What its author wrote. */
  public TransformCode code() {
    return content.get().code();
  }
}
