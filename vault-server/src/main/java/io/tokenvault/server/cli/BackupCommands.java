package io.tokenvault.server.cli;

import io.tokenvault.adapters.jdbi.JdbiStores;
import io.tokenvault.ports.usecase.tenant.BackupRecorder;
import io.tokenvault.server.assembly.Backend;
import io.tokenvault.server.assembly.BackupRestoration;
import io.tokenvault.server.config.OperatorException;
import io.tokenvault.server.files.BackupFile;
import io.tokenvault.server.files.OwnerOnlyFile;
import io.tokenvault.server.files.OwnerOnlyFile.OpenToOthersException;
import io.tokenvault.server.json.JsonLine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The commands that copy a whole vault to a file and restore it. */
final class BackupCommands {

  private BackupCommands() {}

  /** Copies the whole database to a new file that {@code restore} reads. */
  @Command(
      name = "backup",
      description = {
        "Back up the whole database to a new file while servers keep running. The backup is a",
        "consistent snapshot and is recorded in the log of every tenant. The master keyset is",
        "NOT included: without it the backup cannot be read, so store a copy elsewhere. Prints",
        "one JSON line: file, bytes, as_of (for 'audit verify --as-of')."
      })
  static final class Backup extends VaultCommand implements Callable<Integer> {

    @Parameters(paramLabel = "FILE", description = "File to create, readable by its owner only.")
    private Path file;

    @Override
    public Integer call() throws IOException {
      if (Files.exists(file)) {
        throw exists();
      }
      try (Backend backend = openBackend()) {
        Instant asOf = write(backend);
        err()
            .println(
                "The master keyset "
                    + backend.keysetFile().path()
                    + " is not in the backup, and the backup is unreadable without it: store a"
                    + " copy elsewhere.");
        print(asOf);
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
      JdbiStores database = backend.database();
      Instant asOf = database.hashChains().ends().time();
      BackupRecorder trail = new BackupRecorder(database.tenants(), database.recorder());
      trail.record();
      backend.extendHashChains().run();
      try {
        new OwnerOnlyFile(file)
            .create(
                out -> {
                  BackupFile.write(
                      out, backend.keys(), backend.randomness(), database::writeSnapshot);
                  trail.record();
                });
        return asOf;
      } catch (FileAlreadyExistsException meanwhile) {
        throw exists();
      } catch (OpenToOthersException open) {
        throw new OperatorException(open.getMessage() + " No backup was created.");
      } catch (IOException | UncheckedIOException failed) {
        throw new OperatorException(
            "The file " + file + " cannot be written; no backup was created.");
      }
    }

    private OperatorException exists() {
      return new OperatorException("The file " + file + " already exists; no backup was created.");
    }

    /** Prints the result as a line of JSON. */
    private void print(Instant asOf) throws IOException {
      out()
          .println(
              new JsonLine()
                  .with("file", file.toString())
                  .with("bytes", Files.size(file))
                  .with("as_of", asOf.toString()));
    }
  }

  /** Restores a backup into an empty database. */
  @Command(
      name = "restore",
      description = {
        "Restore a backup into an empty database, completely or not at all. The master keyset of",
        "the backup, or a later one that includes its keys, must be in place. A truncated or",
        "changed file, or one of another keyset, is rejected before anything is written. The",
        "restore is recorded in the log of every tenant. Do not start a server before it",
        "completes."
      })
  static final class Restore extends VaultCommand implements Callable<Integer> {

    @Parameters(paramLabel = "FILE", description = "Backup file.")
    private Path file;

    @Override
    public Integer call() {
      try {
        BackupRestoration.run(context().configuration(), context().randomness(), file);
      } catch (IOException | UncheckedIOException unreadable) {
        throw new OperatorException(
            "The file " + file + " cannot be read completely; nothing was restored.");
      }
      err()
          .println(
              "Restored. Verify the log with 'audit verify --checkpoints FILE --as-of TIME';"
                  + " TIME is the as_of of the backup.");
      return 0;
    }
  }
}
