package io.tokenvault.server.assembly;

import io.tokenvault.ports.usecase.key.KeysetGuard;
import io.tokenvault.server.config.Configuration;
import io.tokenvault.server.config.ConfigurationException;
import io.tokenvault.server.crypto.CurrentKeys;
import io.tokenvault.server.crypto.KeysetFileException;
import io.tokenvault.server.crypto.KeysetProtection;
import io.tokenvault.server.crypto.MasterKeyset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the master keyset, or makes one where that cannot lose anything. */
public final class KeysetFile {

  private static final Logger LOG = LoggerFactory.getLogger(KeysetFile.class);

  private final Path file;
  private final KeysetProtection protection;
  private final boolean mayCreate;

  KeysetFile(Configuration configuration) {
    this.file = configuration.keysetFile();
    this.protection = KeysetProtection.of(configuration.masterKeyUri());
    this.mayCreate = configuration.database().isEmpty();
  }

  /**
   * Loads the keyset. Without one an empty embedded database gets a new one; any other database
   * holds data that a new one could not read.
   */
  MasterKeyset loadOrCreate(KeysetGuard guard) {
    if (!mayCreate) {
      return loadExisting();
    }
    if (Files.notExists(file)) {
      if (guard.isClaimed()) {
        throw missing("the database in the data directory was written with it: restore the file");
      }
      create();
    }
    return loadAtStart();
  }

  /** Loads the keyset of a database that is not ours to make one for. */
  private MasterKeyset loadExisting() {
    if (Files.notExists(file)) {
      throw missing("'keys init FILE' makes one, once, before the first start");
    }
    return loadAtStart();
  }

  /**
   * Loads the keyset without a look at the database; empty if one may still have to be made.
   *
   * @throws ConfigurationException if there is none and none will be made, or it cannot be used
   */
  Optional<MasterKeyset> loadIfThere() {
    return mayCreate && Files.notExists(file) ? Optional.empty() : Optional.of(loadExisting());
  }

  private MasterKeyset loadAtStart() {
    try {
      return load();
    } catch (KeysetFileException unusable) {
      throw new ConfigurationException("The " + unusable.getMessage() + ".");
    }
  }

  /** Loads the keyset that a backup was made with. */
  static CurrentKeys keysOfBackup(Configuration configuration) {
    KeysetFile file = new KeysetFile(configuration);
    if (Files.notExists(file.file)) {
      throw file.missing("put the one there that the backup was made with, or a later one of it");
    }
    return new CurrentKeys(file.loadAtStart());
  }

  /**
   * The keys of the file, without a database to compare them with.
   *
   * @throws ConfigurationException if the file cannot be used
   */
  public static CurrentKeys keys(Configuration configuration) {
    return new CurrentKeys(new KeysetFile(configuration).loadAtStart());
  }

  /**
   * @throws KeysetFileException if the file is missing, open to others, or holds something else
   */
  public MasterKeyset load() {
    return MasterKeyset.load(file, protection);
  }

  /** Puts a changed keyset in the place of the one in the file, whole or not at all. */
  public void replace(MasterKeyset changed) {
    changed.replace(file, protection);
  }

  public Path path() {
    return file;
  }

  private ConfigurationException missing(String what) {
    return new ConfigurationException("There is no master keyset at " + file + ": " + what + ".");
  }

  private void create() {
    try {
      MasterKeyset.create(file, protection);
    } catch (KeysetFileException failed) {
      if (Files.exists(file)) {
        return; // Another command made it meanwhile.
      }
      throw failed;
    }
    LOG.warn(
        "Made a master keyset at {}. Without it no token can be read again: back it up, apart from"
            + " the database.",
        file);
  }
}
