package io.tokenvault.server.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Keeps what cannot be undone from being done by an option that says no. */
final class Meant {

  private Meant() {}

  /**
   * @throws ParameterException if it is not meant: the command line is wrong then
   */
  static void require(boolean yes, CommandSpec spec) {
    if (!yes) {
      throw new ParameterException(
          spec.commandLine(), "Nothing was done: this needs --yes, without a value or as true.");
    }
  }
}
