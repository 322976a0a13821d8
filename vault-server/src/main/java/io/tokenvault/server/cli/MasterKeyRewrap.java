package io.tokenvault.server.cli;

import io.tokenvault.server.assembly.Backend;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Wraps the keys of all tenants under the master key in use. */
@Command(
    name = "rewrap",
    description = {
      "Wraps the keys of all tenants under the master key that was promoted last.",
      "No token is encrypted anew by this."
    },
    mixinStandardHelpOptions = true)
final class MasterKeyRewrap implements Callable<Integer> {

  private final Surroundings surroundings;

  @Spec private CommandSpec spec;

  MasterKeyRewrap(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() {
    try (Backend backend =
        Backend.forCommand(surroundings.configuration(), surroundings.randomness())) {
      int rewrapped = backend.manageKeys().rewrapAll();
      spec.commandLine()
          .getErr()
          .println(
              "Tenant keys wrapped under the new master key: "
                  + rewrapped
                  + ". The rotation is complete.");
      return 0;
    }
  }
}
