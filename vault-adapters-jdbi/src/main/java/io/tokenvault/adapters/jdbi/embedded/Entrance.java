package io.tokenvault.adapters.jdbi.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;

/** Who may host a data directory, and who is a guest at somebody else's server. */
final class Entrance {

  private static final Duration PATIENCE_WITH_COMMANDS = Duration.ofSeconds(30);
  private static final Duration PATIENCE_WITH_STARTS = Duration.ofMinutes(2);

  private static final Duration SERVER_WAITS_FOR_GUESTS = Duration.ofSeconds(5);
  private static final Duration COMMAND_WAITS_FOR_GUESTS = Duration.ofSeconds(60);

  private final DataDirectory directory;

  Entrance(DataDirectory directory) {
    this.directory = directory;
  }

  /** A command that works there ends soon and is waited for; another server stays. */
  Host asServer(Path programs, SecureRandom random) {
    Deadline deadline = Deadline.in(PATIENCE_WITH_COMMANDS);
    Optional<DirectoryLock> lock = tryLock(Holder.Purpose.SERVER);
    while (lock.isEmpty()) {
      refuseIf(deadline.passed() || isHeldByServer());
      deadline.pause();
      lock = tryLock(Holder.Purpose.SERVER);
    }
    return Host.start(lock.get(), programs, random, SERVER_WAITS_FOR_GUESTS);
  }

  /** Hosts, unless somebody else does: that one may still be starting, or be about to stop. */
  EmbeddedPostgres asCommand(Path programs, SecureRandom random) {
    Deadline deadline = Deadline.in(PATIENCE_WITH_STARTS);
    for (; ; deadline.pause()) {
      Optional<DirectoryLock> lock = tryLock(Holder.Purpose.COMMAND);
      if (lock.isPresent()) {
        return EmbeddedPostgres.of(
            Host.start(lock.get(), programs, random, COMMAND_WAITS_FOR_GUESTS));
      }
      Optional<EmbeddedPostgres> running = asGuest();
      if (running.isPresent()) {
        return running.get();
      }
      refuseIf(deadline.passed());
    }
  }

  Optional<EmbeddedPostgres> asGuest() {
    return endpoint()
        .flatMap(
            endpoint -> Lease.asGuest(endpoint).map(lease -> EmbeddedPostgres.of(endpoint, lease)));
  }

  private Optional<Endpoint> endpoint() {
    try {
      Optional<Credentials> credentials = Credentials.loadIfPresent(directory);
      return PostmasterFile.read(directory.cluster())
          .filter(PostmasterFile::isReady)
          .flatMap(note -> credentials.map(known -> new Endpoint(note.port(), known)));
    } catch (IOException e) {
      throw EmbeddedPostgresException.of(directory.path(), e);
    }
  }

  private Optional<DirectoryLock> tryLock(Holder.Purpose purpose) {
    return DirectoryLock.tryAcquire(directory, purpose);
  }

  private boolean isHeldByServer() {
    return Holder.read(directory.holder()).filter(Holder::isRunningServer).isPresent();
  }

  private void refuseIf(boolean hopeless) {
    if (hopeless) {
      String holder =
          Holder.read(directory.holder())
              .map(known -> "process " + known.pid())
              .orElse("another process");
      throw new EmbeddedPostgresException(
          "The data directory %s is in use by %s: stop it first, or choose another directory"
              .formatted(directory, holder));
    }
  }
}
