package io.tokenvault.server.cli.tenant;

import io.tokenvault.domain.tenant.ResourceName;
import io.tokenvault.server.assembly.Backend;
import io.tokenvault.server.assembly.IssuedKeyLine;
import io.tokenvault.server.cli.context.CommandContext;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Creates a tenant with a management application, whether or not a server is running.
 *
 * <p>The key of the application is printed once and cannot be shown again.
 */
@Command(
    name = "create",
    description = {
      "Makes a tenant and an application that holds every management permission.",
      "Prints one line of JSON: tenant_id, application_id, key. The key is not shown again."
    },
    mixinStandardHelpOptions = true)
public final class TenantCreate implements Callable<Integer> {

  private final CommandContext surroundings;

  @Option(names = "--name", required = true, description = "The tenant's name.")
  private String name;

  @Spec private CommandSpec spec;

  public TenantCreate(CommandContext surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() {
    ResourceName checked = new ResourceName(name);
    try (Backend backend =
        Backend.forCommand(surroundings.configuration(), surroundings.randomness())) {
      spec.commandLine()
          .getOut()
          .println(IssuedKeyLine.json(backend.manageTenants().create(checked)));
    }
    return 0;
  }
}
