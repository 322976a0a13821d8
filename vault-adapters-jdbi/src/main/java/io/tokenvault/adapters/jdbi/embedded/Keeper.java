package io.tokenvault.adapters.jdbi.embedded;

import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the server running until it is stopped: one that ended by itself (killed, or for want of
 * space on the disk) is started again on its port, as often as it takes.
 */
final class Keeper {

  private static final Logger LOG = LoggerFactory.getLogger(Keeper.class);
  // What is left of the old one needs a moment to go.
  private static final Duration BEFORE_EACH_ATTEMPT = Duration.ofSeconds(2);

  private final Launch launch;
  private final Binaries binaries;
  private final DataDirectory directory;
  private final int port;
  // Both guarded by this.
  private PostgresProcess process;
  private boolean stopped;

  private Keeper(Launch launch, Binaries binaries, DataDirectory directory, PostgresProcess process)
      throws IOException {
    this.launch = launch;
    this.binaries = binaries;
    this.directory = directory;
    this.process = process;
    this.port = process.port();
  }

  /** Of a server that accepts connections. */
  static Keeper of(
      Launch launch, Binaries binaries, DataDirectory directory, PostgresProcess process)
      throws IOException {
    Keeper keeper = new Keeper(launch, binaries, directory, process);
    keeper.watch();
    return keeper;
  }

  /** Ends all sessions; returns when the server is gone for good. */
  synchronized void stop() {
    stopped = true;
    process.stop();
  }

  private synchronized void watch() {
    PostgresProcess watched = process;
    Thread thread = new Thread(() -> restartAfter(watched), "embedded-postgres-keeper");
    thread.setDaemon(true);
    thread.start();
  }

  private void restartAfter(PostgresProcess watched) {
    watched.awaitItsEnd();
    try {
      do {
        Thread.sleep(BEFORE_EACH_ATTEMPT.toMillis());
      } while (!isSettled());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether the server is to stay stopped, or runs again. */
  private synchronized boolean isSettled() {
    if (stopped) {
      return true;
    }
    LOG.error("PostgreSQL on port {} ended by itself; starting it again", port);
    try {
      process = PostgresProcess.startAgain(launch, binaries, directory, port);
      LOG.info("PostgreSQL on port {} runs again", port);
      watch();
      return true;
    } catch (IOException | EmbeddedPostgresException e) {
      LOG.error("PostgreSQL on port {}: {}", port, e.getMessage());
      return false;
    }
  }
}
