package io.tokenvault.server.assembly;

import io.tokenvault.ports.usecase.key.KeysetGuard;
import io.tokenvault.ports.usecase.key.KeysetGuard.WrongKeysetException;
import io.tokenvault.server.crypto.CurrentKeys;
import io.tokenvault.server.crypto.KeysetFileException;
import io.tokenvault.server.crypto.MasterKeyset;
import io.tokenvault.server.crypto.TinkMasterKeys;
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
 * Makes this process one of the nodes that serve: tells the others which master keys it holds, and
 * takes a changed keyset file without a restart. One that is wrong is logged and not taken.
 */
final class KeysetWatch implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(KeysetWatch.class);

  private final UUID node = UUID.randomUUID();
  private final KeysetFile file;
  private final CurrentKeys keys;
  private final KeysetGuard guard;
  private Optional<Stamp> seen;

  /**
   * @throws WrongKeysetException if the keyset is not the one that the database is used with
   */
  KeysetWatch(KeysetFile file, CurrentKeys keys, KeysetGuard guard) {
    this.file = file;
    this.keys = keys;
    this.guard = guard;
    this.seen = Stamp.of(file.path());
    guard.admit(node, keys.masterKeys());
  }

  /** Tells that this node is alive. */
  void announce() {
    try {
      guard.admit(node, keys.masterKeys());
    } catch (WrongKeysetException wrong) {
      LOG.error("{} Requests that need the missing key fail.", wrong.getMessage());
      throw wrong;
    }
  }

  /** Takes the file's keyset if it has changed. */
  void poll() {
    Optional<Stamp> now = Stamp.of(file.path());
    if (now.isEmpty() || now.equals(seen)) {
      return;
    }
    try {
      MasterKeyset changed = file.load();
      guard.verify(new TinkMasterKeys(changed));
      keys.use(changed);
      LOG.info("Took the changed master keyset file {}", file.path());
    } catch (KeysetFileException | WrongKeysetException refused) {
      LOG.error("The changed master keyset file is not taken: {}", refused.getMessage());
    }
    seen = now;
    announce();
  }

  /**
   * Tells that this node serves no more, as far as it can: it is forgotten after a while anyway.
   */
  @Override
  public void close() {
    try {
      guard.withdraw(node);
    } catch (RuntimeException unreachable) {
      LOG.debug("The node could not be withdrawn: {}", unreachable.getClass().getName());
    }
  }

  /** What changes whenever a file is written or replaced. */
  private record Stamp(FileTime time, long size, Optional<Object> fileKey) {

    /** Empty if the file cannot be looked at, as between two versions of it. */
    static Optional<Stamp> of(Path file) {
      try {
        BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
        return Optional.of(
            new Stamp(
                found.lastModifiedTime(), found.size(), Optional.ofNullable(found.fileKey())));
      } catch (IOException away) {
        return Optional.empty();
      }
    }
  }
}
