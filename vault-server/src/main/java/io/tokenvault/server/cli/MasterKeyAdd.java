package io.tokenvault.server.cli;

import io.tokenvault.server.assembly.Backend;
import io.tokenvault.server.crypto.MasterKeyset;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Adds a master key that is not used yet. */
@Command(
    name = "add",
    description = {
      "Adds a new master key and a new hashing key to the keyset file; they are not used yet.",
      "Give the file to all nodes then; they read it by themselves within seconds."
    },
    mixinStandardHelpOptions = true)
final class MasterKeyAdd implements Callable<Integer> {

  private final Surroundings surroundings;

  @Spec private CommandSpec spec;

  MasterKeyAdd(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() {
    try (Backend backend =
        Backend.forCommand(surroundings.configuration(), surroundings.randomness())) {
      MasterKeyset present = backend.keysetFile().load();
      if (present.hasUnpromotedKeys()) {
        spec.commandLine()
            .getErr()
            .println("There are new keys already; 'keys rotate-master promote' comes next.");
        return Failures.FAILED;
      }
      backend.keysetFile().replace(present.withNewKey());
      spec.commandLine()
          .getErr()
          .println(
              "New keys were added to the keyset file. Next: copy the file to all nodes, then run"
                  + " 'keys rotate-master promote'.");
      return 0;
    }
  }
}
