package io.tokenvault.server.cli.context;

import io.tokenvault.ports.usecase.key.ManageKeys.Outcome;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Model.CommandSpec;

/** What became of a command about one tenant, as an exit code and, if need be, a text. */
public final class TenantOutcome {

  private static final String NO_TENANT = "There is no tenant with this id.";

  private TenantOutcome() {}

  public static int tell(Outcome outcome, CommandSpec spec) {
    return switch (outcome) {
      case DONE -> 0;
      case NO_TENANT -> fail(NO_TENANT, spec);
      case NO_KEYS -> fail("The keys of this tenant were destroyed before.", spec);
    };
  }

  /** Of what is known of a tenant; empty if there is none. */
  public static <T> int tell(Optional<T> found, Consumer<T> show, CommandSpec spec) {
    if (found.isEmpty()) {
      return fail(NO_TENANT, spec);
    }
    found.ifPresent(show);
    return 0;
  }

  private static int fail(String why, CommandSpec spec) {
    spec.commandLine().getErr().println(why);
    return CommandFailures.FAILED;
  }
}
