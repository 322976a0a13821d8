package io.tokenvault.server.cli;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.server.assembly.Backend;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists where the tokens of bound containers may go. */
@Command(
    name = "list",
    description =
        "Prints a line of JSON for each host that a container is bound to: container, host.",
    mixinStandardHelpOptions = true)
final class ContainerList implements Callable<Integer> {

  private final Surroundings surroundings;

  @Option(names = "--tenant", required = true, description = "The tenant's id.")
  private UUID tenant;

  @Spec private CommandSpec spec;

  ContainerList(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() {
    try (Backend backend =
        Backend.forCommand(surroundings.configuration(), surroundings.randomness())) {
      return TenantOutcome.tell(
          backend.manageTenants().egress(new TenantId(tenant)),
          egress ->
              egress.bindings().stream()
                  .map(ContainerBindings::line)
                  .forEach(spec.commandLine().getOut()::println),
          spec);
    }
  }
}
