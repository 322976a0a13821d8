package io.tokenvault.server.cli;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.server.assembly.Backend;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Deletes a tenant with everything that it owns but its log. */
@Command(
    name = "delete",
    description = {
      "Deletes a tenant with its applications, proxies, tokens and data keys. Its log stays.",
      "This cannot be undone."
    },
    mixinStandardHelpOptions = true)
final class TenantDelete implements Callable<Integer> {

  private final Surroundings surroundings;

  @Option(names = "--id", required = true, description = "The tenant's id.")
  private UUID id;

  @Option(names = "--yes", required = true, description = "Says that it is meant.")
  private boolean yes;

  @Spec private CommandSpec spec;

  TenantDelete(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() {
    Meant.require(yes, spec);
    try (Backend backend =
        Backend.forCommand(surroundings.configuration(), surroundings.randomness())) {
      if (backend.manageTenants().delete(new TenantId(id))) {
        return 0;
      }
    }
    spec.commandLine().getErr().println(TenantOutcome.NO_TENANT);
    return Failures.FAILED;
  }
}
