package io.tokenvault.server.cli;

import io.tokenvault.ports.usecase.ManageTenants;
import picocli.CommandLine.Command;

/** Lists where the tokens of bound containers may go. */
@Command(
    name = "list",
    description =
        "Prints a line of JSON for each host that a container is bound to: container, host.",
    mixinStandardHelpOptions = true)
final class ContainerList extends ContainerCommand {

  ContainerList(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  public Integer call() {
    return run(ManageTenants::egress, egress -> print(egress.bindings()));
  }
}
