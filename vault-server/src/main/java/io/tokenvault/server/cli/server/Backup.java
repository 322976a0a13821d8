package io.tokenvault.server.cli.server;

import io.tokenvault.adapters.jdbi.JdbiStores;
import io.tokenvault.ports.usecase.tenant.BackupRecorder;
import io.tokenvault.server.assembly.Backend;
import io.tokenvault.server.backup.BackupWriter;
import io.tokenvault.server.cli.context.CannotWriteException;
import io.tokenvault.server.cli.context.CommandContext;
import io.tokenvault.server.cli.context.JsonLine;
import io.tokenvault.server.config.Configuration;
import io.tokenvault.server.files.OpenToOthersException;
import io.tokenvault.server.files.OwnerOnlyFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Copies the whole database, as a consistent snapshot, to a new file that {@code restore} reads.
 *
 * <p>Servers keep running meanwhile. The master keyset is not part of the backup.
 *
 * <pre>{@code
 * vault-server backup vault.backup
 * }</pre>
 */
@Command(
    name = "backup",
    description = {
      "Copies the whole database, as of one moment, to a new file that 'restore' takes; servers go",
      "on meanwhile. It is recorded in the log of every tenant. The master keyset is NOT in the",
      "file: without it nobody can read the backup, so keep a copy of it in another place.",
      "Prints a line of JSON: file, bytes, as_of (what 'audit verify --as-of' takes)."
    },
    mixinStandardHelpOptions = true)
public final class Backup implements Callable<Integer> {

  private final CommandContext surroundings;

  @Parameters(paramLabel = "FILE", description = "A new file, readable by its owner only.")
  private Path file;

  @Spec private CommandSpec spec;

  public Backup(CommandContext surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws IOException {
    Configuration configuration = surroundings.configuration();
    if (Files.exists(file)) {
      throw exists();
    }
    try (Backend backend = Backend.forCommand(configuration, surroundings.randomness())) {
      Instant asOf = write(backend);
      spec.commandLine()
          .getErr()
          .println(
              "The master keyset "
                  + backend.keysetFile().path()
                  + " is not in the backup, and without it nobody can read the backup: keep a copy"
                  + " of it in another place.");
      tell(asOf);
    }
    return 0;
  }

  /**
   * Records the backup, writes the file, and records the backup again before the file gets its
   * name.
   *
   * @return the time for {@code audit verify --as-of}: the start of the backup
   */
  private Instant write(Backend backend) throws IOException {
    JdbiStores database = backend.stores();
    Instant asOf = database.seals().ends().time();
    BackupRecorder trail = backend.backupTrail();
    trail.record();
    backend.sealLog().run();
    try {
      new OwnerOnlyFile(file)
          .create(
              out -> {
                new BackupWriter(backend.keys(), backend.randomness())
                    .write(out, database::writeSnapshot);
                trail.record();
              });
      return asOf;
    } catch (FileAlreadyExistsException meanwhile) {
      throw exists();
    } catch (OpenToOthersException open) {
      throw new CannotWriteException(
          "On the file system of "
              + file
              + " others may read every file; mount it with umask=077, or name another place."
              + " There is no backup.");
    } catch (IOException | UncheckedIOException failed) {
      throw new CannotWriteException(
          "The file " + file + " cannot be written; there is no backup.");
    }
  }

  private CannotWriteException exists() {
    return new CannotWriteException("There is a file " + file + " already; there is no backup.");
  }

  /** Prints the result as a line of JSON. */
  private void tell(Instant asOf) throws IOException {
    spec.commandLine()
        .getOut()
        .println(
            new JsonLine()
                .with("file", file.toString())
                .with("bytes", Files.size(file))
                .with("as_of", asOf.toString()));
  }
}
