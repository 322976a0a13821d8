package io.tokenvault.server.cli;

import io.tokenvault.ports.usecase.key.ManageTenantKeys.Outcome;
import io.tokenvault.server.assembly.Backend;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The common part of all commands: their context, their streams, the options for help, and the exit
 * codes of operations on one tenant.
 *
 * <p>A command that needs helpers of its own is a class. Others are methods of a class for their
 * group.
 */
@Command(mixinStandardHelpOptions = true, synopsisSubcommandLabel = "COMMAND")
abstract class VaultCommand {

  private static final String NO_TENANT = "No tenant has this id.";

  @Spec private CommandSpec spec;

  final CommandContext context() {
    return ((RootCommand) spec.root().userObject()).context();
  }

  /** Opens the database with the settings of the environment; the caller closes it. */
  final Backend openBackend() {
    return Backend.forCommand(context().configuration(), context().randomness());
  }

  /** Returns standard output, for results that programs may read. */
  final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  /** Returns standard error, for messages to people. */
  final PrintWriter err() {
    return spec.commandLine().getErr();
  }

  /** Returns the failure for options or parameters that do not go together. */
  final ParameterException wrongCommandLine(String why) {
    List<CommandLine> parsed = spec.root().commandLine().getParseResult().asCommandLineList();
    return new ParameterException(parsed.get(parsed.size() - 1), why);
  }

  /** Prints a message to standard error and returns the exit code of a success. */
  final int succeed(String notice) {
    err().println(notice);
    return 0;
  }

  /** Prints a message to standard error and returns the exit code of a failure. */
  final int fail(String why) {
    err().println(why);
    return CommandFailures.FAILED;
  }

  /** Prints the message of an outcome, if it has one, and returns the exit code. */
  final int report(Outcome outcome) {
    return switch (outcome) {
      case DONE -> 0;
      case NO_TENANT -> fail(NO_TENANT);
      case NO_KEYS -> fail("The keys of this tenant are already destroyed.");
    };
  }

  /**
   * Shows a result, or reports that there is no such tenant.
   *
   * @param found empty: the tenant does not exist
   * @return the exit code
   */
  final <T> int report(Optional<T> found, Consumer<T> show) {
    if (found.isEmpty()) {
      return fail(NO_TENANT);
    }
    found.ifPresent(show);
    return 0;
  }
}
