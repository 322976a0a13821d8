package io.tokenvault.engine.exchange;

import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.runtime.CompiledTransform;
import java.util.function.Supplier;

/**
 * A transform compiled by the current version of the compiler.
 *
 * @param tenantId the owner; workers are never shared by tenants
 * @param key identifies the program: equal keys have identical programs
 * @param compiled decrypts the program when it is first needed
 */
public record Program(
    TransformKind kind, TenantId tenantId, String key, Supplier<CompiledTransform> compiled) {

  /** Returns the key only: the program can be secret. */
  @Override
  public String toString() {
    return "Program[" + key + "]";
  }
}
