package io.tokenvault.ports.memory;

import io.tokenvault.domain.proxy.TransformCode;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.runtime.CompiledTransform;
import io.tokenvault.ports.runtime.TransformRuntime;
import java.util.List;

/** A runtime for tests that compiles code to itself and rejects code with a {@link #FLAW}. */
public final class SmallTransformRuntime implements TransformRuntime {

  public static final String FLAW = "a flaw";

  @Override
  public String compiler() {
    return "small/1";
  }

  @Override
  public Compilation compile(TenantId tenantId, TransformCode code) {
    int at = code.source().indexOf(FLAW);
    return at < 0
        ? new Compilation.Compiled(new CompiledTransform(compiler(), code.source(), List.of()))
        : new Compilation.Refused(List.of(new Compilation.Flaw(1, at + 1, "must not hold a flaw")));
  }
}
