package io.tokenvault.server.assembly;

import io.tokenvault.ports.usecase.key.KeysetGuard;
import io.tokenvault.ports.usecase.key.KeysetGuard.WrongKeysetException;
import io.tokenvault.server.crypto.CurrentKeys;
import io.tokenvault.server.crypto.MasterKeyset;
import io.tokenvault.server.crypto.MasterKeyset.KeysetFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers this process as a serving node and follows changes of the keyset file.
 *
 * <p>The other nodes learn which master keys this node has. A changed keyset file is used without a
 * restart, unless it is wrong: then the node logs an error and keeps the keyset that it has.
 */
final class KeysetWatch implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(KeysetWatch.class);

  private final UUID node = UUID.randomUUID();
  private final KeysetFile file;
  private final CurrentKeys keys;
  private final KeysetGuard guard;
  private Optional<Stamp> used;
  private Optional<Stamp> rejected = Optional.empty();

  /**
   * Registers the node.
   *
   * @throws WrongKeysetException if the keyset is not the one that the database is used with
   */
  KeysetWatch(KeysetFile file, CurrentKeys keys, KeysetGuard guard) {
    this.file = file;
    this.keys = keys;
    this.guard = guard;
    this.used = Stamp.of(file.path());
    guard.admit(node, keys.masterKeys());
  }

  /**
   * Confirms that this node is alive and which master keys it has.
   *
   * @throws WrongKeysetException if the database needs a master key that this node lacks
   */
  void announce() {
    try {
      guard.admit(node, keys.masterKeys());
    } catch (WrongKeysetException wrong) {
      LOG.error("{} Requests that need the missing key fail.", wrong.getMessage());
      throw wrong;
    }
  }

  /**
   * Loads the keyset of the file unless it is in use already.
   *
   * <p>A rejected file is loaded again by every call, since the cause may end without a change of
   * the file: its permissions, the key management service, or the keys that the database needs. A
   * file that is temporarily missing counts as unchanged, because replacing it may take two steps.
   */
  void poll() {
    Optional<Stamp> now = Stamp.of(file.path());
    if (now.isEmpty() || now.equals(used)) {
      return;
    }
    try {
      MasterKeyset changed = file.load();
      guard.verify(changed);
      keys.use(changed);
    } catch (KeysetFileException | WrongKeysetException refused) {
      if (!now.equals(rejected)) {
        LOG.error("Changed master keyset file rejected: {}", refused.getMessage());
      }
      rejected = now;
      return;
    }
    LOG.info("Loaded changed master keyset file {}", file.path());
    used = now;
    rejected = Optional.empty();
    announce();
  }

  /**
   * Removes the registration of this node. A failure is ignored: the registration expires anyway.
   */
  @Override
  public void close() {
    try {
      guard.withdraw(node);
    } catch (RuntimeException unreachable) {
      LOG.debug("Could not withdraw the node: {}", unreachable.getClass().getName());
    }
  }

  /** The file attributes of which at least one changes whenever a file is written or replaced. */
  private record Stamp(FileTime time, long size, Optional<Object> fileKey) {

    /**
     * Returns the attributes; empty if they cannot be read, as while the file is being replaced.
     */
    static Optional<Stamp> of(Path file) {
      try {
        BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
        return Optional.of(
            new Stamp(
                found.lastModifiedTime(), found.size(), Optional.ofNullable(found.fileKey())));
      } catch (IOException missing) {
        return Optional.empty();
      }
    }
  }
}
