package io.tokenvault.server.cli.tenant;

import io.tokenvault.domain.tenant.Tenant;
import io.tokenvault.server.assembly.Backend;
import io.tokenvault.server.cli.context.CommandContext;
import io.tokenvault.server.cli.context.JsonLine;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Lists all tenants, one line of JSON for each. */
@Command(
    name = "list",
    description = "Prints one line of JSON for each tenant: tenant_id, name, created_at.",
    mixinStandardHelpOptions = true)
public final class TenantList implements Callable<Integer> {

  private final CommandContext surroundings;

  @Spec private CommandSpec spec;

  public TenantList(CommandContext surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() {
    try (Backend backend =
        Backend.forCommand(surroundings.configuration(), surroundings.randomness())) {
      backend.manageTenants().list().stream()
          .map(TenantList::line)
          .forEach(spec.commandLine().getOut()::println);
    }
    return 0;
  }

  /** Returns the fields that every command prints of a tenant. */
  static JsonLine line(Tenant tenant) {
    return new JsonLine()
        .with("tenant_id", tenant.id().toString())
        .with("name", tenant.name().value())
        .with("created_at", tenant.createdAt().toString());
  }
}
