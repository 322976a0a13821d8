package io.tokenvault.server.cli.key;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.usecase.key.ManageKeys;
import io.tokenvault.server.assembly.Backend;
import io.tokenvault.server.cli.context.CommandContext;
import io.tokenvault.server.cli.context.TenantOutcome;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Creates new keys for one tenant or for all tenants.
 *
 * <p>All nodes use the new keys at once. Existing fields stay readable and are re-encrypted by the
 * servers in the background.
 */
@Command(
    name = "rotate",
    description = {
      "Makes a new data key, fingerprint key and index key for every tenant, or for one.",
      "What is new is made with them at once, on all nodes. What there is stays readable; running",
      "servers encrypt it again in the background ('keys status' shows how far they are)."
    },
    mixinStandardHelpOptions = true)
public final class KeysRotate implements Callable<Integer> {

  private final CommandContext surroundings;

  @Option(names = "--tenant", description = "The tenant's id; none: all tenants.")
  private UUID tenant;

  @Spec private CommandSpec spec;

  public KeysRotate(CommandContext surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() {
    try (Backend backend =
        Backend.forCommand(surroundings.configuration(), surroundings.randomness())) {
      ManageKeys keys = backend.manageKeys();
      if (tenant == null) {
        spec.commandLine().getErr().println("Tenants with new keys: " + keys.rotateAll());
        return 0;
      }
      return TenantOutcome.tell(keys.rotate(new TenantId(tenant)), spec);
    }
  }
}
