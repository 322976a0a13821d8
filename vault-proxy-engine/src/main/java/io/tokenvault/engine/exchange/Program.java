package io.tokenvault.engine.exchange;

import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.runtime.CompiledTransform;
import java.util.function.Supplier;

/**
 * A transform that the present compiler has compiled.
 *
 * @param key the same key, the same program
 * @param compiled opened only when it is asked for
 */
public record Program(
    TransformKind kind, TenantId tenantId, String key, Supplier<CompiledTransform> compiled) {

  /** The key only. */
  @Override
  public String toString() {
    return "Program[" + key + "]";
  }
}
