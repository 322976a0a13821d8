package io.tokenvault.server.cli;

import io.tokenvault.server.crypto.MasterKeyset;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Makes a master keyset file, for use with an external database. */
@Command(
    name = "init",
    description = {
      "Makes a master keyset in a new file that only its owner can read.",
      "Without this file no token can be read: back it up, apart from the database."
    },
    mixinStandardHelpOptions = true)
final class KeysInit implements Callable<Integer> {

  @Parameters(paramLabel = "FILE", description = "The file to make; it must not exist.")
  private Path file;

  @Override
  public Integer call() {
    MasterKeyset.create(file);
    return 0;
  }
}
