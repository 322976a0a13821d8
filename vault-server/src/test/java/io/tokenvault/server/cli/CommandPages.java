package io.tokenvault.server.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;
import picocli.AutoComplete;
import picocli.CommandLine;

/**
 * Writes the manual pages and the shell completion of the command line, which the build adds to the
 * program: {@code CommandPages DIRECTORY}.
 */
public final class CommandPages {

  private static final String NAME = "vault-server";

  private CommandPages() {}

  public static void main(String[] arguments) throws IOException {
    write(Path.of(arguments[0]));
  }

  /** Writes the files to the directories in which {@code man} and Bash look for them. */
  static void write(Path share) throws IOException {
    CommandLine root =
        RootCommand.commands(
            new CommandContext(
                Map.of(), new SecureRandom(), OutputStream.nullOutputStream(), Optional.empty()));
    Path completions = Files.createDirectories(share.resolve("bash-completion/completions"));
    Files.writeString(completions.resolve(NAME), AutoComplete.bash(NAME, root));
    writePages(root, Files.createDirectories(share.resolve("man/man1")));
  }

  private static void writePages(CommandLine command, Path directory) throws IOException {
    ManPage page = new ManPage(command);
    Files.writeString(directory.resolve(page.name() + ".1"), page.text());
    for (CommandLine subcommand : command.getSubcommands().values()) {
      if (!subcommand.getCommandName().equals("help")) {
        writePages(subcommand, directory);
      }
    }
  }
}
