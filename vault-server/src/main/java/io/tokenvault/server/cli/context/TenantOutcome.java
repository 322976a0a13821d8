package io.tokenvault.server.cli.context;

import io.tokenvault.ports.usecase.key.ManageKeys.Outcome;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Model.CommandSpec;

/** Maps the outcome of a command on one tenant to an exit code and, after a failure, a message. */
public final class TenantOutcome {

  private static final String NO_TENANT = "There is no tenant with this id.";

  private TenantOutcome() {}

  /**
   * Prints the message of an outcome, if it has one.
   *
   * @return the exit code
   */
  public static int tell(Outcome outcome, CommandSpec spec) {
    return switch (outcome) {
      case DONE -> 0;
      case NO_TENANT -> fail(NO_TENANT, spec);
      case NO_KEYS -> fail("The keys of this tenant were destroyed before.", spec);
    };
  }

  /**
   * Shows a result, or reports that there is no such tenant.
   *
   * @param found empty: the tenant does not exist
   * @return the exit code
   */
  public static <T> int tell(Optional<T> found, Consumer<T> show, CommandSpec spec) {
    if (found.isEmpty()) {
      return fail(NO_TENANT, spec);
    }
    found.ifPresent(show);
    return 0;
  }

  /** Prints a message to standard error and returns the exit code of a failure. */
  private static int fail(String why, CommandSpec spec) {
    spec.commandLine().getErr().println(why);
    return CommandFailures.FAILED;
  }
}
