package io.tokenvault.server.cli.tenant;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.server.assembly.Backend;
import io.tokenvault.server.cli.context.CommandContext;
import io.tokenvault.server.cli.context.TenantOutcome;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows one tenant and its settings as a line of JSON. */
@Command(
    name = "show",
    description = {
      "Shows a tenant and its settings.",
      "Prints one line of JSON: tenant_id, name, created_at, ephemeral_proxy,",
      "unbound_containers_by_url. 'container list' shows its bound containers."
    },
    mixinStandardHelpOptions = true)
public final class TenantShow implements Callable<Integer> {

  private final CommandContext surroundings;

  @Option(
      names = {"--tenant", "--id"},
      required = true,
      paramLabel = "ID",
      description = "The tenant's id.")
  private UUID tenant;

  @Spec private CommandSpec spec;

  public TenantShow(CommandContext surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() {
    try (Backend backend =
        Backend.forCommand(surroundings.configuration(), surroundings.randomness())) {
      return TenantOutcome.tell(
          backend.manageTenants().show(new TenantId(tenant)),
          shown ->
              spec.commandLine()
                  .getOut()
                  .println(
                      TenantUpdate.withEgress(TenantList.line(shown.tenant()), shown.egress())),
          spec);
    }
  }
}
