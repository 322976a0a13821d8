package io.tokenvault.server.cli.key;

import io.tokenvault.server.assembly.Backend;
import io.tokenvault.server.cli.context.CommandContext;
import io.tokenvault.server.cli.context.CommandFailures;
import io.tokenvault.server.crypto.MasterKeyset;
import io.tokenvault.server.crypto.TinkMasterKeys;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * The common part of the three steps that introduce a new master key: add, promote, rewrap.
 *
 * <p>After each of the first two steps the operator copies the keyset file to all nodes, which load
 * it within seconds. No step requires a restart.
 */
public abstract class MasterKeyCommand implements Callable<Integer> {

  private final CommandContext surroundings;

  @Spec private CommandSpec spec;

  MasterKeyCommand(CommandContext surroundings) {
    this.surroundings = surroundings;
  }

  /**
   * Executes the step.
   *
   * @return the exit code
   */
  abstract int run(Backend backend);

  @Override
  public final Integer call() {
    try (Backend backend =
        Backend.forCommand(surroundings.configuration(), surroundings.randomness())) {
      return run(backend);
    }
  }

  /** Prints a message for people to standard error and returns the exit code. */
  final int end(int exitCode, String remark) {
    spec.commandLine().getErr().println(remark);
    return exitCode;
  }

  /** Adds a master key and a hashing key that are not used yet. */
  @Command(
      name = "add",
      description = {
        "Adds a new master key and a new hashing key to the keyset file; they are not used yet.",
        "Give the file to all nodes then; they read it by themselves within seconds."
      },
      mixinStandardHelpOptions = true)
  public static final class MasterKeyAdd extends MasterKeyCommand {

    public MasterKeyAdd(CommandContext surroundings) {
      super(surroundings);
    }

    @Override
    int run(Backend backend) {
      MasterKeyset present = backend.keysetFile().load();
      if (present.hasUnpromotedKeys()) {
        return end(
            CommandFailures.FAILED,
            "There are new keys already; 'keys rotate-master promote' comes next.");
      }
      backend.keysetFile().replace(present.withNewKey());
      return end(
          0,
          "New keys were added to the keyset file. Next: copy the file to all nodes, then run"
              + " 'keys rotate-master promote'.");
    }
  }

  /** Uses the keys that were added last for everything new, once every live node has them. */
  @Command(
      name = "promote",
      description = {
        "Uses the keys that were added last for all that is new, once every live node has them.",
        "Give the changed keyset file to all nodes then."
      },
      mixinStandardHelpOptions = true)
  public static final class MasterKeyPromote extends MasterKeyCommand {

    public MasterKeyPromote(CommandContext surroundings) {
      super(surroundings);
    }

    @Override
    int run(Backend backend) {
      MasterKeyset present = backend.keysetFile().load();
      if (!present.hasUnpromotedKeys()) {
        return end(
            CommandFailures.FAILED,
            "There is no new key to promote; 'keys rotate-master add' adds one.");
      }
      MasterKeyset promoted = present.promoted();
      backend.manageKeys().promote(new TinkMasterKeys(promoted));
      backend.keysetFile().replace(promoted);
      return end(
          0,
          "The new keys are in use. Next: copy the keyset file to all nodes again, then run"
              + " 'keys rotate-master rewrap'.");
    }
  }

  /** Wraps the keys of all tenants under the current master key. Fields are not re-encrypted. */
  @Command(
      name = "rewrap",
      description = {
        "Wraps the keys of all tenants under the master key that was promoted last.",
        "No token is encrypted anew by this."
      },
      mixinStandardHelpOptions = true)
  public static final class MasterKeyRewrap extends MasterKeyCommand {

    public MasterKeyRewrap(CommandContext surroundings) {
      super(surroundings);
    }

    @Override
    int run(Backend backend) {
      return end(
          0,
          "Tenant keys wrapped under the new master key: "
              + backend.manageKeys().rewrapAll()
              + ". The rotation is complete.");
    }
  }
}
