package io.tokenvault.server.cli;

import io.tokenvault.domain.tenant.ResourceName;
import io.tokenvault.ports.usecase.ManageTenants;
import io.tokenvault.server.assembly.Backend;
import io.tokenvault.server.assembly.ShownKey;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Makes a tenant; works whether or not a server runs. */
@Command(
    name = "create",
    description = {
      "Makes a tenant and an application that holds every management permission.",
      "Prints one line of JSON: tenant_id, application_id, key. The key is not shown again."
    },
    mixinStandardHelpOptions = true)
final class TenantCreate implements Callable<Integer> {

  private final Surroundings surroundings;

  @Option(names = "--name", required = true, description = "The tenant's name.")
  private String name;

  @Option(
      names = "--shard",
      description = {
        "Which database it goes to, from 1, in the order of VAULT_DATABASE_URL and",
        "VAULT_DATABASE_SHARDS. Without it, the one with the fewest tenants."
      })
  private Optional<Integer> shard = Optional.empty();

  @Spec private CommandSpec spec;

  TenantCreate(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() {
    ResourceName checked = new ResourceName(name);
    try (Backend backend =
        Backend.forCommand(surroundings.configuration(), surroundings.randomness())) {
      ManageTenants tenants =
          shard.map(number -> in(number, backend)).orElseGet(backend::manageTenants);
      spec.commandLine().getOut().println(ShownKey.json(tenants.create(checked)));
    }
    return 0;
  }

  private ManageTenants in(int number, Backend backend) {
    try {
      return backend.manageTenantsIn(number);
    } catch (IllegalArgumentException absent) {
      throw new ParameterException(
          spec.commandLine(), "--shard " + number + ": " + absent.getMessage(), absent);
    }
  }
}
