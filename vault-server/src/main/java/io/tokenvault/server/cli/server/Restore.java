package io.tokenvault.server.cli.server;

import io.tokenvault.server.assembly.BackupRestoration;
import io.tokenvault.server.cli.context.CannotWriteException;
import io.tokenvault.server.cli.context.CommandContext;
import io.tokenvault.server.config.Configuration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Restores a backup into an empty database, completely or not at all.
 *
 * <p>The keyset of the backup, or a later one with its keys, must be in place. No server may run on
 * the database until the restore is complete.
 *
 * <pre>{@code
 * vault-server restore vault.backup
 * }</pre>
 */
@Command(
    name = "restore",
    description = {
      "Puts what 'backup' wrote into an empty database, all of it or nothing. The master keyset",
      "that the backup was made with, or a later one with its keys, has to be in its place. A file",
      "that was cut off or changed, or that another keyset belongs to, is refused before anything",
      "is written. It is recorded in the log of every tenant. Start no server before it is done."
    },
    mixinStandardHelpOptions = true)
public final class Restore implements Callable<Integer> {

  private final CommandContext surroundings;

  @Parameters(paramLabel = "FILE", description = "What 'backup' has written.")
  private Path file;

  @Spec private CommandSpec spec;

  public Restore(CommandContext surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() {
    Configuration configuration = surroundings.configuration();
    try {
      new BackupRestoration(configuration, surroundings.randomness()).run(file);
    } catch (IOException | UncheckedIOException unreadable) {
      throw new CannotWriteException(
          "The file " + file + " cannot be read to its end; nothing was restored.");
    }
    spec.commandLine().getErr().println("Restored. 'audit verify' tells whether the log is whole.");
    return 0;
  }
}
