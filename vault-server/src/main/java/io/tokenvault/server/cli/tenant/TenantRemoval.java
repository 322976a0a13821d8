package io.tokenvault.server.cli.tenant;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.usecase.key.ManageKeys.Outcome;
import io.tokenvault.server.assembly.Backend;
import io.tokenvault.server.cli.context.CommandContext;
import io.tokenvault.server.cli.context.TenantOutcome;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The common part of the commands that permanently remove something of a tenant.
 *
 * <p>They require {@code --yes}, so that a command that was completed by mistake has no effect.
 */
public abstract class TenantRemoval implements Callable<Integer> {

  private final CommandContext surroundings;

  @Option(names = "--id", required = true, description = "The tenant's id.")
  private UUID id;

  @Option(names = "--yes", required = true, description = "Says that it is meant.")
  private boolean yes;

  @Spec private CommandSpec spec;

  TenantRemoval(CommandContext surroundings) {
    this.surroundings = surroundings;
  }

  /**
   * Removes what the command is for.
   *
   * @return whether there was such a tenant, and whether it had keys
   */
  abstract Outcome end(Backend backend, TenantId tenant);

  @Override
  public final Integer call() {
    requireMeant();
    try (Backend backend =
        Backend.forCommand(surroundings.configuration(), surroundings.randomness())) {
      return TenantOutcome.tell(end(backend, new TenantId(id)), spec);
    }
  }

  /** Rejects an explicit {@code --yes=false} as a wrong command line. */
  private void requireMeant() {
    if (!yes) {
      throw new ParameterException(
          spec.commandLine(), "Nothing was done: this needs --yes, without a value or as true.");
    }
  }

  /** Deletes a tenant with everything that it owns except its audit log. */
  @Command(
      name = "delete",
      description = {
        "Deletes a tenant with its applications, proxies, tokens and data keys. Its log stays.",
        "This cannot be undone."
      },
      mixinStandardHelpOptions = true)
  public static final class TenantDelete extends TenantRemoval {

    public TenantDelete(CommandContext surroundings) {
      super(surroundings);
    }

    @Override
    Outcome end(Backend backend, TenantId tenant) {
      return backend.manageTenants().delete(tenant) ? Outcome.DONE : Outcome.NO_TENANT;
    }
  }

  /** Destroys the keys of a tenant, so that none of its data can be decrypted. */
  @Command(
      name = "shred",
      description = {
        "Destroys all keys of a tenant. Nothing of it can be read or written any more, from the",
        "next request on, by anybody on any node. Its applications, rows and log stay.",
        "This cannot be undone, but by backups of the keys: docs/encryption.md says how to keep them."
      },
      mixinStandardHelpOptions = true)
  public static final class TenantShred extends TenantRemoval {

    public TenantShred(CommandContext surroundings) {
      super(surroundings);
    }

    @Override
    Outcome end(Backend backend, TenantId tenant) {
      return backend.manageKeys().shred(tenant);
    }
  }
}
