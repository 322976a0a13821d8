package io.tokenvault.server.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A PostgreSQL of this machine with a standby that every commit waits for. Root runs them as the
 * user {@code postgres}.
 */
final class ReplicatedPostgres implements DatabaseUnderTest {

  private static final String PASSWORD = "replicated";

  private final Path programs;
  private final Path directory;
  private final int primaryPort = freePort();
  private final int standbyPort = freePort();

  private ReplicatedPostgres(Path programs, Path directory) {
    this.programs = programs;
    this.directory = directory;
  }

  /** Skips the test where there is no PostgreSQL with its server programs. */
  static ReplicatedPostgres start() throws IOException {
    Optional<Path> programs = programs();
    assumeThat(programs)
        .as("PostgreSQL's server programs under /usr/lib/postgresql, without which this is skipped")
        .isPresent();
    Path directory = Files.createTempDirectory("vault-replicated-");
    ReplicatedPostgres pair = new ReplicatedPostgres(programs.get(), directory);
    pair.create();
    return pair;
  }

  private static Optional<Path> programs() throws IOException {
    Path versions = Path.of("/usr/lib/postgresql");
    if (!Files.isDirectory(versions)) {
      return Optional.empty();
    }
    try (Stream<Path> found = Files.list(versions)) {
      return found
          .map(version -> version.resolve("bin"))
          .filter(bin -> Files.isExecutable(bin.resolve("pg_basebackup")))
          .sorted()
          .reduce((older, newer) -> newer);
    }
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private Path primary() {
    return directory.resolve("primary");
  }

  private Path standby() {
    return directory.resolve("standby");
  }

  private void create() throws IOException {
    Path passwords = Files.writeString(directory.resolve("password"), PASSWORD);
    if (isRoot()) {
      runAsIs(List.of("chown", "-R", "postgres", directory.toString()));
    }
    run(
        "initdb",
        "-D",
        primary().toString(),
        "-U",
        "vault_owner",
        "-A",
        "scram-sha-256",
        "--pwfile=" + passwords,
        "-E",
        "UTF8",
        "--locale=C");
    startServer(primary(), primaryPort, "");
    String owner = "host=127.0.0.1 port=" + primaryPort + " user=vault_owner password=" + PASSWORD;
    sql("CREATE ROLE vault_runtime LOGIN PASSWORD '" + PASSWORD + "'", "postgres");
    sql("CREATE DATABASE vault", "postgres");
    run(
        "pg_basebackup",
        "-d",
        owner + " application_name=standby",
        "-D",
        standby().toString(),
        "-R",
        "-X",
        "stream");
    startServer(standby(), standbyPort, "");
    sql("ALTER SYSTEM SET synchronous_standby_names = '*'", "postgres");
    sql("SELECT pg_reload_conf()", "postgres");
  }

  private void startServer(Path data, int port, String more) {
    run(
        "pg_ctl",
        "-D",
        data.toString(),
        "-w",
        "-l",
        data + ".log",
        "-o",
        "-p " + port + " -c listen_addresses=127.0.0.1 -c unix_socket_directories=" + more,
        "start");
  }

  private void sql(String statement, String database) {
    run(
        "psql",
        "-d",
        "host=127.0.0.1 port="
            + primaryPort
            + " user=vault_owner dbname="
            + database
            + " password="
            + PASSWORD,
        "-v",
        "ON_ERROR_STOP=1",
        "-c",
        statement);
  }

  /** {@code kill -9} of the primary; returns when the standby takes writes in its place. */
  void failOver() throws IOException {
    long pid = Long.parseLong(Files.readAllLines(primary().resolve("postmaster.pid")).get(0));
    ProcessHandle.of(pid).orElseThrow().destroyForcibly();
    run("pg_ctl", "-D", standby().toString(), "-w", "promote");
    // Nobody stands by for it now.
    run(
        "psql",
        "-d",
        "host=127.0.0.1 port="
            + standbyPort
            + " user=vault_owner dbname=postgres"
            + " password="
            + PASSWORD,
        "-c",
        "ALTER SYSTEM SET synchronous_standby_names = ''",
        "-c",
        "SELECT pg_reload_conf()");
  }

  private void run(String program, String... arguments) {
    List<String> command = new ArrayList<>();
    if (isRoot()) {
      command.addAll(List.of("runuser", "-u", "postgres", "--"));
    }
    command.add(programs.resolve(program).toString());
    command.addAll(List.of(arguments));
    runAsIs(command);
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  private void runAsIs(List<String> command) {
    try {
      Path output = Files.createTempFile("vault-replicated-", ".txt");
      int exit =
          new ProcessBuilder(command)
              .directory(Path.of("/").toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start()
              .waitFor();
      assertThat(exit)
          .as("%s: %s", command.get(command.size() - 1), Files.readString(output))
          .isZero();
      Files.delete(output);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }

  /** Of whichever of the two takes writes. */
  @Override
  public String jdbcUrl() {
    return "jdbc:postgresql://127.0.0.1:%d,127.0.0.1:%d/vault?targetServerType=primary"
        .formatted(primaryPort, standbyPort);
  }

  @Override
  public String runtimeUser() {
    return "vault_runtime";
  }

  @Override
  public String runtimePassword() {
    return PASSWORD;
  }

  @Override
  public String ownerUser() {
    return "vault_owner";
  }

  @Override
  public String ownerPassword() {
    return PASSWORD;
  }

  @Override
  public void close() {
    for (Path data : List.of(primary(), standby())) {
      if (Files.exists(data.resolve("postmaster.pid"))) {
        try {
          run("pg_ctl", "-D", data.toString(), "-m", "immediate", "stop");
        } catch (AssertionError wasKilled) {
          assertThat(data).isEqualTo(primary());
        }
      }
    }
    runAsIs(List.of("rm", "-r", directory.toString()));
  }
}
