package io.tokenvault.server.cli;

import io.tokenvault.domain.proxy.ContainerBinding;
import io.tokenvault.domain.proxy.HostPattern;
import io.tokenvault.domain.proxy.TenantEgress;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.usecase.ManageTenants;
import io.tokenvault.server.assembly.Backend;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What the commands about a tenant's containers share. */
abstract class ContainerCommand implements Callable<Integer> {

  private final Surroundings surroundings;

  @Option(names = "--tenant", required = true, description = "The tenant's id.")
  private UUID tenant;

  @Spec private CommandSpec spec;

  ContainerCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  /**
   * Does something with the tenant, and tells what became of it.
   *
   * @param work gives what holds after it; empty if there is no such tenant
   */
  final int run(
      BiFunction<ManageTenants, TenantId, Optional<TenantEgress>> work,
      Consumer<TenantEgress> show) {
    try (Backend backend =
        Backend.forCommand(surroundings.configuration(), surroundings.randomness())) {
      return TenantOutcome.tell(
          work.apply(backend.manageTenants(), new TenantId(tenant)), show, spec);
    }
  }

  static List<HostPattern> patterns(List<String> hosts) {
    return hosts.stream().map(HostPattern::new).distinct().toList();
  }

  final void print(List<ContainerBinding> bindings) {
    bindings.stream().map(ContainerBindings::line).forEach(spec.commandLine().getOut()::println);
  }

  /** For people, not for programs. */
  final void remark(String text) {
    spec.commandLine().getErr().println(text);
  }
}
