package io.tokenvault.server.cli;

import io.tokenvault.server.config.Configuration;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Chooses one of the databases for a command that works on one. */
final class ShardOption {

  @Option(
      names = "--shard",
      paramLabel = "N",
      description = "Which database, counted from 1; needed where there are several.")
  private Optional<Integer> shard = Optional.empty();

  /**
   * @throws ParameterException if there is no such database, or several and none was chosen
   */
  int number(CommandLine command, Configuration configuration) {
    int there = configuration.database().map(each -> each.urls().size()).orElse(1);
    int chosen = shard.orElse(there == 1 ? 1 : 0);
    if (chosen < 1 || chosen > there) {
      throw new ParameterException(command, "--shard: there are databases 1 to " + there + ".");
    }
    return chosen;
  }
}
