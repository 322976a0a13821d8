package io.tokenvault.adapters.jdbi.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The running server. */
final class PostgresProcess {

  private static final int PORTS_TO_TRY = 5;

  // Recovery after a crash may read much of the write-ahead log.
  private static final Duration PATIENCE_AT_START = Duration.ofMinutes(5);
  private static final Duration PATIENCE_AT_STOP = Duration.ofSeconds(60);

  private final DataDirectory directory;
  private final Process process;
  private final ServerLog log;

  private PostgresProcess(DataDirectory directory, Process process, ServerLog log) {
    this.directory = directory;
    this.process = process;
    this.log = log;
  }

  /** Returns when connections are accepted. */
  static PostgresProcess start(Launch launch, Binaries binaries, DataDirectory directory)
      throws IOException {
    ServerLog log = ServerLog.startNew(directory);
    for (int attempt = 1; ; attempt++) {
      PostgresProcess server = launched(launch, binaries, directory, freePort(), log);
      if (server.becomesReady()) {
        return server;
      }
      if (attempt == PORTS_TO_TRY || !log.saysThatPortIsTaken()) {
        throw server.failure();
      }
    }
  }

  /** After one that ended; its log goes on. Returns when connections are accepted. */
  static PostgresProcess startAgain(
      Launch launch, Binaries binaries, DataDirectory directory, int port) throws IOException {
    ServerLog log = ServerLog.goOn(directory);
    PostgresProcess server = launched(launch, binaries, directory, port, log);
    if (!server.becomesReady()) {
      throw server.failure();
    }
    return server;
  }

  private static PostgresProcess launched(
      Launch launch, Binaries binaries, DataDirectory directory, int port, ServerLog log)
      throws IOException {
    List<String> command = command(binaries, directory, port);
    Process process = launch.program(command).printingTo(log.file()).startOnThreadThatStays();
    return new PostgresProcess(directory, process, log);
  }

  void awaitItsEnd() {
    process.onExit().join();
  }

  int port() throws IOException {
    return note().map(PostmasterFile::port).orElseThrow(this::failure);
  }

  /** Ends all sessions; returns when the server is gone. */
  void stop() {
    for (Signal signal : Signal.values()) {
      if (!process.isAlive()) {
        return;
      }
      signal.to(process.pid());
      awaitEnd();
    }
  }

  private boolean becomesReady() throws IOException {
    Deadline deadline = Deadline.in(PATIENCE_AT_START);
    try {
      while (process.isAlive() && !deadline.passed()) {
        if (note().filter(PostmasterFile::isReady).isPresent()) {
          return true;
        }
        deadline.pause();
      }
    } catch (IOException | EmbeddedPostgresException e) {
      stop();
      throw e;
    }
    stop();
    return false;
  }

  private Optional<PostmasterFile> note() throws IOException {
    return PostmasterFile.read(directory.cluster()).filter(note -> note.pid() == process.pid());
  }

  private EmbeddedPostgresException failure() {
    return new EmbeddedPostgresException(
        "PostgreSQL does not start on %s: %s".formatted(directory, lastWords()));
  }

  private String lastWords() {
    try {
      return log.lastLines();
    } catch (IOException e) {
      return "see " + log.file();
    }
  }

  private void awaitEnd() {
    try {
      process.waitFor(PATIENCE_AT_STOP.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EmbeddedPostgresException("Interrupted while PostgreSQL was ending", e);
    }
  }

  private static List<String> command(Binaries binaries, DataDirectory directory, int port) {
    List<String> command =
        new ArrayList<>(List.of(binaries.postgres(), "-D", directory.cluster().toString()));
    command.addAll(Settings.arguments(port));
    return command;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      return socket.getLocalPort();
    }
  }
}
