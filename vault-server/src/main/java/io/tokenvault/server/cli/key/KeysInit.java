package io.tokenvault.server.cli.key;

import io.tokenvault.server.cli.context.CommandContext;
import io.tokenvault.server.config.Configuration;
import io.tokenvault.server.crypto.KeysetProtection;
import io.tokenvault.server.crypto.MasterKeyset;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * Creates a master keyset file, for use with an external database.
 *
 * <p>Of the settings it reads only the key that encrypts the file, so that it works before anything
 * else is configured.
 */
@Command(
    name = "init",
    description = {
      "Makes a master keyset in a new file that only its owner can read.",
      "With VAULT_MASTER_KEY_URI it is encrypted by a key management service.",
      "Without this file no token can be read: back it up, apart from the database."
    },
    mixinStandardHelpOptions = true)
public final class KeysInit implements Callable<Integer> {

  private final CommandContext surroundings;

  @Parameters(paramLabel = "FILE", description = "The file to make; it must not exist.")
  private Path file;

  public KeysInit(CommandContext surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() {
    MasterKeyset.create(
        file, KeysetProtection.of(Configuration.masterKeyUri(surroundings.environment())));
    return 0;
  }
}
