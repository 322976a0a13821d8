package io.tokenvault.server.cli;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.server.assembly.Backend;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Destroys the keys of a tenant, so that nothing of it can be read again. */
@Command(
    name = "shred",
    description = {
      "Destroys all keys of a tenant. Nothing of it can be read or written any more, from the",
      "next request on, by anybody on any node. Its applications, rows and log stay.",
      "This cannot be undone, but by backups of the keys: docs/encryption.md says how to keep them."
    },
    mixinStandardHelpOptions = true)
final class TenantShred implements Callable<Integer> {

  private final Surroundings surroundings;

  @Option(names = "--id", required = true, description = "The tenant's id.")
  private UUID id;

  @Option(names = "--yes", required = true, description = "Says that it is meant.")
  private boolean yes;

  @Spec private CommandSpec spec;

  TenantShred(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() {
    Meant.require(yes, spec);
    try (Backend backend =
        Backend.forCommand(surroundings.configuration(), surroundings.randomness())) {
      return TenantOutcome.tell(backend.manageKeys().shred(new TenantId(id)), spec);
    }
  }
}
