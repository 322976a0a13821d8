package io.tokenvault.ports.usecase;

import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.proxy.TransformCode;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.spi.TransformRuntime;
import io.tokenvault.ports.spi.TransformRuntime.Compilation;
import io.tokenvault.ports.spi.TransformRuntime.Compilation.Compiled;
import io.tokenvault.ports.spi.TransformRuntime.Compilation.Flaw;
import io.tokenvault.ports.spi.TransformRuntime.Compilation.Refused;
import java.util.EnumMap;
import java.util.Map;

/** Compiles the transforms of a proxy before it is stored. */
final class CheckTransforms {

  private final TransformRuntime runtime;

  CheckTransforms(TransformRuntime runtime) {
    this.runtime = runtime;
  }

  /**
   * @param sources the code of those that there are; their lengths were checked
   * @param violations gets what is wrong with one, with its line and column
   */
  Map<TransformKind, CheckedTransform> check(
      TenantId tenantId, Map<TransformKind, String> sources, Violations violations) {
    Map<TransformKind, CheckedTransform> checked = new EnumMap<>(TransformKind.class);
    sources.forEach(
        (kind, source) -> {
          TransformCode code = new TransformCode(source);
          Compilation compilation = runtime.compile(tenantId, code);
          if (compilation instanceof Compiled compiled) {
            checked.put(kind, new CheckedTransform(code, compiled.transform()));
          } else if (compilation instanceof Refused refused) {
            refused.flaws().forEach(flaw -> violations.add(kind.codePath(), text(flaw)));
          }
        });
    return checked;
  }

  private static String text(Flaw flaw) {
    return "line %d, column %d: %s".formatted(flaw.line(), flaw.column(), flaw.message());
  }
}
