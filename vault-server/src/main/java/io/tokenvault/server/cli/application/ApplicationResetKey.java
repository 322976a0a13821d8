package io.tokenvault.server.cli.application;

import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.usecase.application.IssuedApplication;
import io.tokenvault.server.assembly.Backend;
import io.tokenvault.server.assembly.IssuedKeyLine;
import io.tokenvault.server.cli.context.CommandContext;
import io.tokenvault.server.cli.context.CommandFailures;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Issues a new key for an application, for example if the only management key was lost.
 *
 * <p>All earlier keys of the application become invalid at once, without a grace period.
 */
@Command(
    name = "reset-key",
    description = {
      "Gives an application a new key; all its earlier keys end at once.",
      "Prints one line of JSON: tenant_id, application_id, key. The key is not shown again."
    },
    mixinStandardHelpOptions = true)
public final class ApplicationResetKey implements Callable<Integer> {

  private final CommandContext surroundings;

  @Option(names = "--tenant", required = true, description = "The tenant's id.")
  private UUID tenant;

  @Option(names = "--id", required = true, description = "The application's id.")
  private UUID id;

  @Spec private CommandSpec spec;

  public ApplicationResetKey(CommandContext surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() {
    try (Backend backend =
        Backend.forCommand(surroundings.configuration(), surroundings.randomness())) {
      Optional<IssuedApplication> issued =
          backend.manageTenants().resetKey(new TenantId(tenant), new ApplicationId(id));
      issued.map(IssuedKeyLine::json).ifPresent(spec.commandLine().getOut()::println);
      return issued.isPresent() ? 0 : notFound();
    }
  }

  private int notFound() {
    spec.commandLine().getErr().println("This tenant has no application with this id.");
    return CommandFailures.FAILED;
  }
}
