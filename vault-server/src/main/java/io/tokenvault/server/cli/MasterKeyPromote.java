package io.tokenvault.server.cli;

import io.tokenvault.server.assembly.Backend;
import io.tokenvault.server.crypto.MasterKeyset;
import io.tokenvault.server.crypto.TinkMasterKeys;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Uses the master key that was added last. */
@Command(
    name = "promote",
    description = {
      "Uses the keys that were added last for all that is new, once every live node has them.",
      "Give the changed keyset file to all nodes then."
    },
    mixinStandardHelpOptions = true)
final class MasterKeyPromote implements Callable<Integer> {

  private final Surroundings surroundings;

  @Spec private CommandSpec spec;

  MasterKeyPromote(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() {
    try (Backend backend =
        Backend.forCommand(surroundings.configuration(), surroundings.randomness())) {
      MasterKeyset present = backend.keysetFile().load();
      if (!present.hasUnpromotedKeys()) {
        spec.commandLine()
            .getErr()
            .println("There is no new key to promote; 'keys rotate-master add' adds one.");
        return Failures.FAILED;
      }
      MasterKeyset promoted = present.promoted();
      backend.manageKeys().promote(new TinkMasterKeys(promoted));
      backend.keysetFile().replace(promoted);
      spec.commandLine()
          .getErr()
          .println(
              "The new keys are in use. Next: copy the keyset file to all nodes again, then run"
                  + " 'keys rotate-master rewrap'.");
      return 0;
    }
  }
}
