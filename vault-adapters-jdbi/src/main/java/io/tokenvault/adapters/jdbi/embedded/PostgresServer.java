package io.tokenvault.adapters.jdbi.embedded;

import io.tokenvault.adapters.jdbi.embedded.PostgresCluster.PostmasterFile;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server process of a locked data directory. Until it is stopped, a process that ends
 * unexpectedly, because it was killed or the disk is full, is restarted on its port, as often as
 * necessary.
 */
final class PostgresServer {

  private static final Logger LOG = LoggerFactory.getLogger(PostgresServer.class);

  private static final int PORTS_TO_TRY = 5;
  private static final int LOG_LINES_TO_QUOTE = 5;
  private static final long LOG_BYTES_TO_QUOTE_FROM = 100_000;

  // Recovery after a crash may read much of the write-ahead log.
  private static final Duration START_TIMEOUT = Duration.ofMinutes(5);
  // The remaining processes of a server that ended unexpectedly need a moment to exit.
  private static final Duration BEFORE_EACH_RESTART = Duration.ofSeconds(2);

  /**
   * Settings that take precedence over {@code postgresql.conf}, where the administrator may set all
   * others.
   */
  static final List<String> FIXED_SETTINGS =
      List.of(
          "listen_addresses=127.0.0.1",
          "unix_socket_directories=",
          "fsync=on",
          "full_page_writes=on",
          "password_encryption=scram-sha-256",
          "timezone=UTC",
          "log_timezone=UTC",
          // Statements, parameters and even error texts can contain what callers sent, so the log
          // records only events of the server itself ("log" ranks above "error" here).
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
  private final PostgresLauncher launcher;
  private final PostgresBinaries binaries;
  private final List<String> settings;
  private ServerEndpoint endpoint;
  private int port;
  // Guarded by this.
  private Process process;
  // Ends a restart that is in progress, which may take minutes.
  private volatile boolean stopped;

  private PostgresServer(
      DataDirectory directory,
      PostgresLauncher launcher,
      PostgresBinaries binaries,
      List<String> settings) {
    this.directory = directory;
    this.launcher = launcher;
    this.binaries = binaries;
    this.settings = settings;
  }

  /**
   * Creates what is missing and starts the server. Returns when the server accepts connections.
   *
   * @param settings {@link #FIXED_SETTINGS}, or others for tests that do not test durability
   * @throws EmbeddedPostgresException if the data files are unusable or the server does not start
   */
  static PostgresServer start(
      DataDirectory directory, Path programs, SecureRandom random, List<String> settings)
      throws IOException {
    PostgresCluster cluster = new PostgresCluster(directory);
    cluster.requireUsable();
    PostgresBinaries binaries = PostgresBinaries.in(programs);
    PostgresLauncher launcher = PostgresLauncher.choose(directory, binaries);
    // The directory may have another owner now.
    directory.giveToOwner(directory.lock());
    directory.giveToOwner(directory.holder());
    directory.ensurePasswords(random);
    cluster.makeReady(launcher, binaries);
    PostgresServer server = new PostgresServer(directory, launcher, binaries, settings);
    server.startFirst(random);
    LOG.info("PostgreSQL started on {}, data in {}", server.endpoint, directory);
    return server;
  }

  ServerEndpoint endpoint() {
    return endpoint;
  }

  /** Ends all sessions and stops the server permanently. Returns when its process has ended. */
  void stop() {
    stopped = true;
    end();
    LOG.info("PostgreSQL on {} stopped", endpoint);
  }

  /**
   * Starts the server on a free port, sets up its roles and database, and begins to watch it.
   * Another process may take the port meanwhile, so several are tried.
   */
  private synchronized void startFirst(SecureRandom random) throws IOException {
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
      endpoint = new ServerEndpoint(port, directory);
      endpoint.setUp(random);
    } catch (SQLException e) {
      end();
      throw refusal(e);
    } catch (IOException | RuntimeException e) {
      end();
      throw e;
    }
    watch();
  }

  /** Returns the exception for a server that rejects the vault's connection. */
  private EmbeddedPostgresException refusal(SQLException cause) {
    boolean wrongPassword = "28P01".equals(cause.getSQLState());
    String what =
        wrongPassword
            ? "its password files do not match its data: restore both from the same backup"
            : "it rejects the vault's connection (SQL state " + cause.getSQLState() + ")";
    return new EmbeddedPostgresException("PostgreSQL on " + directory + ": " + what, cause);
  }

  /** Starts a thread that restarts the server if the current process ends. */
  private synchronized void watch() {
    Process watched = process;
    Thread thread = new Thread(() -> restartAfter(watched), "embedded-postgres-keeper");
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Waits for the end of a process, then tries to start the server until it runs or was stopped.
   */
  private void restartAfter(Process watched) {
    watched.onExit().join();
    try {
      do {
        Thread.sleep(BEFORE_EACH_RESTART.toMillis());
      } while (!restart());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Starts the server unless it was stopped. Returns whether no further attempt is needed. */
  private synchronized boolean restart() {
    if (stopped) {
      return true;
    }
    LOG.error("PostgreSQL on port {} stopped unexpectedly; restarting it", port);
    try {
      if (!Files.exists(directory.log())) {
        beginLog();
      }
      boolean ready = launch();
      if (stopped) {
        return true;
      }
      if (!ready) {
        throw failure();
      }
      LOG.info("PostgreSQL restarted on port {}", port);
      watch();
      return true;
    } catch (IOException | EmbeddedPostgresException e) {
      LOG.error("PostgreSQL on port {}: {}", port, e.getMessage());
      return false;
    }
  }

  /**
   * Starts the server on its port. Returns whether it accepts connections; if not, its process has
   * ended.
   */
  private synchronized boolean launch() throws IOException {
    List<String> command = new ArrayList<>();
    command.addAll(List.of(binaries.program("postgres"), "-D", directory.cluster().toString()));
    command.addAll(List.of("-p", Integer.toString(port)));
    settings.forEach(setting -> command.addAll(List.of("-c", setting)));
    process =
        launcher
            .guarded(command)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.log().toFile()))
            .start();
    Deadline deadline = Deadline.in(START_TIMEOUT);
    boolean ready = false;
    try {
      while (!ready && !stopped && process.isAlive() && !deadline.passed()) {
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

  /** Returns whether the server's own file reports that this process is ready. */
  private synchronized boolean isReady() throws IOException {
    return PostmasterFile.read(directory.cluster())
        .filter(note -> note.pid() == process.pid() && note.isReady())
        .isPresent();
  }

  private synchronized void end() {
    PostgresLauncher.stop(process.pid(), process::isAlive);
  }

  /** Returns a port that is free at the moment. */
  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      return socket.getLocalPort();
    }
  }

  /**
   * Creates the log of this run; the log of the previous run is kept with the suffix {@code .1}.
   */
  private void beginLog() throws IOException {
    Path file = directory.log();
    if (Files.exists(file)) {
      Path previous = file.resolveSibling(file.getFileName() + ".1");
      Files.move(file, previous, StandardCopyOption.REPLACE_EXISTING);
    }
    Files.createFile(file, PosixFilePermissions.asFileAttribute(DataDirectory.PRIVATE_FILE));
    directory.giveToOwner(file);
  }

  private String logText() throws IOException {
    return new String(Files.readAllBytes(directory.log()), StandardCharsets.UTF_8);
  }

  /** Returns the exception for a server that does not start, with the last lines of its log. */
  private EmbeddedPostgresException failure() {
    return new EmbeddedPostgresException(
        "PostgreSQL did not start on %s: %s".formatted(directory, lastLogLines()));
  }

  /** Returns the last lines of a short log, or the name of a long one. */
  private String lastLogLines() {
    try {
      if (Files.size(directory.log()) <= LOG_BYTES_TO_QUOTE_FROM) {
        List<String> lines = logText().lines().toList();
        int first = Math.max(0, lines.size() - LOG_LINES_TO_QUOTE);
        return String.join(System.lineSeparator(), lines.subList(first, lines.size()));
      }
    } catch (IOException unreadable) {
      // The caller then gets the name of the log only.
    }
    return "see " + directory.log();
  }
}
