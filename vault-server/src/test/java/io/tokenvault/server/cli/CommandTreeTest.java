package io.tokenvault.server.cli;

import io.tokenvault.server.golden.Golden;
import java.io.IOException;
import java.io.OutputStream;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Tests that the names of commands and options stay, because scripts depend on them. */
final class CommandTreeTest {

  @Test
  void commandsAndTheirOptionsAreStable() throws IOException {
    Golden.matches("commands.txt", commands(tree()));
  }

  private static CommandLine tree() {
    return RootCommand.commands(
        new CommandContext(
            Map.of(), new SecureRandom(), OutputStream.nullOutputStream(), Optional.empty()));
  }

  private static Stream<String> commands(CommandLine command) {
    Stream<String> own =
        command.getCommandSpec().args().stream()
            .filter(argument -> !argument.hidden())
            .map(argument -> command.getCommandSpec().qualifiedName() + " " + text(argument));
    return Stream.concat(
        Stream.concat(Stream.of(command.getCommandSpec().qualifiedName()), own),
        command.getSubcommands().values().stream().flatMap(CommandTreeTest::commands));
  }

  private static String text(ArgSpec argument) {
    String name =
        argument instanceof OptionSpec option
            ? String.join(", ", option.names())
            : argument.paramLabel();
    return name + (argument.required() ? " (required)" : "");
  }
}
