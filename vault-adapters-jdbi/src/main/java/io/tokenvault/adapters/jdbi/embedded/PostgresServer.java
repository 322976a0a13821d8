package io.tokenvault.adapters.jdbi.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server of a locked data directory. Until it is stopped, one that ended by itself (killed, or
 * for want of space on the disk) is started again on its port, as often as it takes.
 */
final class PostgresServer {

  private static final Logger LOG = LoggerFactory.getLogger(PostgresServer.class);

  private static final int PORTS_TO_TRY = 5;
  private static final int LOG_LINES_TO_QUOTE = 5;
  private static final long LOG_BYTES_TO_QUOTE_FROM = 100_000;

  // Recovery after a crash may read much of the write-ahead log.
  private static final Duration PATIENCE_AT_START = Duration.ofMinutes(5);
  private static final Duration PATIENCE_AT_STOP = Duration.ofSeconds(60);
  // What is left of a server that ended by itself needs a moment to go.
  private static final Duration BEFORE_EACH_RESTART = Duration.ofSeconds(2);

  /**
   * Signals in the order of growing force: a shutdown that writes everything, one that leaves the
   * next start to recover, and the last resort.
   */
  private static final List<String> STOPPING = List.of("INT", "QUIT", "KILL");

  /** Holds whatever {@code postgresql.conf} says; everything else is the administrator's. */
  private static final List<String> FIXED_SETTINGS =
      List.of(
          "listen_addresses=127.0.0.1",
          "unix_socket_directories=",
          "fsync=on",
          "full_page_writes=on",
          "password_encryption=scram-sha-256",
          "timezone=UTC",
          "log_timezone=UTC",
          // Statements, their parameters and even error texts can hold what callers sent: the log
          // gets the server's own life only ("log" stands above "error" here).
          "log_min_messages=log",
          "log_min_error_statement=panic",
          "log_statement=none",
          "log_min_duration_statement=-1",
          "log_min_duration_sample=-1",
          "log_transaction_sample_rate=0",
          "log_parameter_max_length=0",
          "log_parameter_max_length_on_error=0",
          "log_error_verbosity=terse",
          // These would make the log grow with the load.
          "log_checkpoints=off",
          "log_connections=",
          "log_disconnections=off",
          "log_lock_waits=off",
          "log_autovacuum_min_duration=-1",
          "log_temp_files=-1",
          "logging_collector=off",
          "log_destination=stderr");

  private final DataDirectory directory;
  private final Launcher launcher;
  private final Binaries binaries;
  private Endpoint endpoint;
  private int port;
  // Both guarded by this.
  private Process process;
  private boolean stopped;

  private PostgresServer(DataDirectory directory, Launcher launcher, Binaries binaries) {
    this.directory = directory;
    this.launcher = launcher;
    this.binaries = binaries;
  }

  /** Creates what is missing and starts the server; returns when it accepts connections. */
  static PostgresServer start(DataDirectory directory, Path programs, SecureRandom random)
      throws IOException {
    Cluster cluster = new Cluster(directory);
    cluster.refuseIfUnfit();
    Binaries binaries = Binaries.in(programs);
    Launcher launcher = Launcher.choose(directory, binaries);
    // The directory may have another owner now.
    directory.hand(directory.lock());
    directory.hand(directory.holder());
    directory.ensurePasswords(random);
    cluster.makeReady(launcher, binaries);
    PostgresServer server = new PostgresServer(directory, launcher, binaries);
    server.startFirst();
    LOG.info("PostgreSQL on {} runs, data in {}", server.endpoint, directory);
    return server;
  }

  Endpoint endpoint() {
    return endpoint;
  }

  /** Ends all sessions; returns when the server is gone and stays away. */
  synchronized void stop() {
    stopped = true;
    end();
    LOG.info("PostgreSQL on {} stopped", endpoint);
  }

  private synchronized void startFirst() throws IOException {
    beginLog();
    for (int attempt = 1; ; attempt++) {
      port = freePort();
      if (launch()) {
        break;
      }
      if (attempt == PORTS_TO_TRY || !logText().contains("could not create any TCP/IP sockets")) {
        throw failure();
      }
    }
    try {
      endpoint = new Endpoint(port, directory);
      endpoint.setUp();
    } catch (SQLException e) {
      end();
      throw refusal(e);
    } catch (IOException | RuntimeException e) {
      end();
      throw e;
    }
    watch();
  }

  private EmbeddedPostgresException refusal(SQLException cause) {
    boolean wrongPassword = "28P01".equals(cause.getSQLState());
    String what =
        wrongPassword
            ? "its password files do not belong to its data: restore both from the same copy"
            : "it does not let the vault in (SQL state " + cause.getSQLState() + ")";
    return new EmbeddedPostgresException("PostgreSQL on " + directory + ": " + what, cause);
  }

  private synchronized void watch() {
    Process watched = process;
    Thread thread = new Thread(() -> restartAfter(watched), "embedded-postgres-keeper");
    thread.setDaemon(true);
    thread.start();
  }

  private void restartAfter(Process watched) {
    watched.onExit().join();
    try {
      do {
        Thread.sleep(BEFORE_EACH_RESTART.toMillis());
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
      if (!Files.exists(directory.log())) {
        beginLog();
      }
      if (!launch()) {
        throw failure();
      }
      LOG.info("PostgreSQL on port {} runs again", port);
      watch();
      return true;
    } catch (IOException | EmbeddedPostgresException e) {
      LOG.error("PostgreSQL on port {}: {}", port, e.getMessage());
      return false;
    }
  }

  /** Starts the server on its port; returns whether it came to accept connections. */
  private synchronized boolean launch() throws IOException {
    List<String> command = new ArrayList<>();
    command.addAll(List.of(binaries.postgres(), "-D", directory.cluster().toString()));
    command.addAll(List.of("-p", Integer.toString(port)));
    FIXED_SETTINGS.forEach(setting -> command.addAll(List.of("-c", setting)));
    process =
        launcher
            .guarded(command)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.log().toFile()))
            .start();
    Deadline deadline = Deadline.in(PATIENCE_AT_START);
    boolean ready = false;
    try {
      while (!ready && process.isAlive() && !deadline.passed()) {
        ready = isReady();
        if (!ready) {
          deadline.pause();
        }
      }
    } finally {
      if (!ready) {
        end();
      }
    }
    return ready;
  }

  private synchronized boolean isReady() throws IOException {
    return PostmasterFile.read(directory.cluster())
        .filter(note -> note.pid() == process.pid() && note.isReady())
        .isPresent();
  }

  private synchronized void end() {
    try {
      for (String signal : STOPPING) {
        if (!process.isAlive()) {
          return;
        }
        Launcher.signal(signal, process.pid());
        process.waitFor(PATIENCE_AT_STOP.toSeconds(), TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EmbeddedPostgresException("Interrupted while PostgreSQL was ending", e);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      return socket.getLocalPort();
    }
  }

  /** Begins PostgreSQL's own log of this run; the one of the run before stays beside it. */
  private void beginLog() throws IOException {
    Path file = directory.log();
    if (Files.exists(file)) {
      Path previous = file.resolveSibling(file.getFileName() + ".1");
      Files.move(file, previous, StandardCopyOption.REPLACE_EXISTING);
    }
    Files.createFile(file, PosixFilePermissions.asFileAttribute(DataDirectory.PRIVATE_FILE));
    directory.hand(file);
  }

  private String logText() throws IOException {
    return new String(Files.readAllBytes(directory.log()), StandardCharsets.UTF_8);
  }

  private EmbeddedPostgresException failure() {
    return new EmbeddedPostgresException(
        "PostgreSQL does not start on %s: %s".formatted(directory, lastWords()));
  }

  private String lastWords() {
    try {
      if (Files.size(directory.log()) <= LOG_BYTES_TO_QUOTE_FROM) {
        List<String> lines = logText().lines().toList();
        int first = Math.max(0, lines.size() - LOG_LINES_TO_QUOTE);
        return String.join(System.lineSeparator(), lines.subList(first, lines.size()));
      }
    } catch (IOException unreadable) {
      // Then its name has to do.
    }
    return "see " + directory.log();
  }
}
