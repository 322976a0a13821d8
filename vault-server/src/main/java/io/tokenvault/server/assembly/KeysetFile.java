package io.tokenvault.server.assembly;

import io.tokenvault.ports.usecase.key.KeysetGuard;
import io.tokenvault.server.config.Configuration;
import io.tokenvault.server.config.ConfigurationException;
import io.tokenvault.server.crypto.CurrentKeys;
import io.tokenvault.server.crypto.KeysetProtection;
import io.tokenvault.server.crypto.MasterKeyset;
import io.tokenvault.server.crypto.MasterKeyset.KeysetFileException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads the master keyset, or creates one where no data can depend on an older one.
 *
 * <p>Only an embedded database may get a new keyset, and only while it is not claimed by another.
 * An external database may be shared by several nodes, so its keyset is created explicitly by
 * {@code keys init}.
 */
public final class KeysetFile {

  private static final Logger LOG = LoggerFactory.getLogger(KeysetFile.class);

  private final Path file;
  private final KeysetProtection protection;
  private final boolean mayCreate;

  private KeysetFile(Configuration configuration, boolean mayCreate) {
    this.file = configuration.keysetFile();
    this.protection = KeysetProtection.of(configuration.masterKeyUri());
    this.mayCreate = mayCreate;
  }

  /** Returns the file of a server or command; it may be created only for an embedded database. */
  static KeysetFile of(Configuration configuration, HostParts parts) {
    return new KeysetFile(
        configuration,
        configuration.database().isEmpty()
            && parts.sources().isEmpty()
            && parts.stores().isEmpty());
  }

  /**
   * Loads the keyset of an embedded database, and creates it first if the database is empty.
   *
   * <p>Any other database holds data that a new keyset could not decrypt.
   *
   * @param guard knows whether the database was used with a keyset before
   * @throws ConfigurationException if the keyset of a database is missing, or cannot be used
   * @throws IllegalStateException if there is no keyset, and none may be created
   */
  MasterKeyset loadOrCreate(KeysetGuard guard) {
    if (Files.notExists(file)) {
      if (guard.isClaimed()) {
        throw missing("the database in the data directory uses it. Restore the file");
      }
      if (!mayCreate) {
        throw new IllegalStateException("a keyset is created only for an embedded database");
      }
      create();
    }
    return loadAtStart();
  }

  /**
   * Loads the keyset without access to the database; empty if it may still have to be created.
   *
   * @throws ConfigurationException if there is none and none will be created, or it cannot be used
   */
  Optional<MasterKeyset> loadIfThere() {
    if (Files.notExists(file)) {
      if (mayCreate) {
        return Optional.empty();
      }
      throw missing(
          "for an existing database, restore its file; for a new one, create a file with"
              + " 'keys init FILE'");
    }
    return Optional.of(loadAtStart());
  }

  /** Loads the keyset and reports a failure as one of the configuration. */
  private MasterKeyset loadAtStart() {
    try {
      return load();
    } catch (KeysetFileException unusable) {
      throw new ConfigurationException("The " + unusable.getMessage() + ".");
    }
  }

  /**
   * Returns the keys that a backup or a dump was created with, without a database to compare them
   * with.
   *
   * @throws ConfigurationException if the file is missing or cannot be used
   */
  public static CurrentKeys keysOfCopy(Configuration configuration) {
    KeysetFile file = new KeysetFile(configuration, false);
    if (Files.notExists(file.file)) {
      throw file.missing("put the keyset of the backup or dump there, or a later version of it");
    }
    return new CurrentKeys(file.loadAtStart());
  }

  /**
   * Loads the keyset that the file holds now.
   *
   * @throws KeysetFileException if the file is missing, readable by others, or not a keyset file
   */
  public MasterKeyset load() {
    return MasterKeyset.load(file, protection);
  }

  /**
   * Replaces the keyset in the file atomically: a reader sees the old or the new one.
   *
   * @throws KeysetFileException if the file cannot be written
   */
  public void replace(MasterKeyset changed) {
    changed.replace(file, protection);
  }

  /** Returns the path of the file, whether it exists or not. */
  public Path path() {
    return file;
  }

  private ConfigurationException missing(String what) {
    return new ConfigurationException("Master keyset not found: " + file + ": " + what + ".");
  }

  /** Creates the file; a file that another command created at the same time is kept. */
  private void create() {
    try {
      MasterKeyset.create(file, protection);
    } catch (KeysetFileException failed) {
      if (Files.exists(file)) {
        return; // Another command created it at the same time.
      }
      throw failed;
    }
    LOG.warn(
        "Created master keyset {}. Back it up, separately from the database: without it, tokens"
            + " are permanently unreadable.",
        file);
  }
}
