package io.tokenvault.engine.transform.module;

import com.fasterxml.jackson.databind.node.TextNode;
import io.tokenvault.domain.proxy.TransformCode;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.engine.transform.content.Json;
import io.tokenvault.ports.runtime.TransformRuntime;
import io.tokenvault.ports.runtime.TransformRuntime.Compilation;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Check of the operator's modules: compiles and loads those at the top of the folder and each
 * package in it, as a transform that requires them does.
 */
public final class ModuleCheck {

  private final OperatorModules modules;
  private final TransformRuntime runtime;

  /**
   * Creates a check.
   *
   * @param runtime compiles transforms that require these modules
   */
  public ModuleCheck(OperatorModules modules, TransformRuntime runtime) {
    this.modules = modules;
    this.runtime = runtime;
  }

  /**
   * Runs the check.
   *
   * @param reports receives the report for each module or package, as soon as it is known
   * @throws io.tokenvault.domain.failure.RefusedException if no worker is free or can be started
   */
  public void run(Consumer<Report> reports) {
    TenantId nobody = new TenantId(UUID.randomUUID());
    for (String name : modules.names()) {
      int files = modules.prepare(List.of(name));
      Optional<String> problem = files == 0 ? Optional.empty() : problem(nobody, name);
      reports.accept(new Report(name, files, problem));
    }
  }

  private Optional<String> problem(TenantId nobody, String name) {
    String code =
        "require(" + Json.write(TextNode.valueOf(name)) + "); module.exports = () => ({});";
    return runtime.compile(nobody, new TransformCode(code)) instanceof Compilation.Refused refused
        ? Optional.of(refused.flaws().get(0).message())
        : Optional.empty();
  }

  /**
   * The result for one name.
   *
   * @param name the name by which transforms require the module or package
   * @param files the number of modules that it needs, including itself; 0 for a package without a
   *     main module, of which transforms can require parts
   * @param problem why it cannot be loaded; empty if it can
   */
  public record Report(String name, int files, Optional<String> problem) {}
}
