package io.tokenvault.server.process;

import io.tokenvault.server.place.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A PostgreSQL as an operator has one, with the roles that the vault needs and its database. */
final class LocalPostgres implements DatabaseUnderTest {

  private static final String PASSWORD = "local";

  private final PostgresPrograms programs;
  private final Path directory;
  private final int port = Ports.free(1).get(0);

  private LocalPostgres(PostgresPrograms programs, Path directory) {
    this.programs = programs;
    this.directory = directory;
  }

  /** Starts one with an empty database. */
  static LocalPostgres start(PostgresPrograms programs) {
    LocalPostgres server = new LocalPostgres(programs, PostgresPrograms.directory());
    server.initialize();
    server.startServer();
    server.sql("postgres", "CREATE ROLE vault_runtime LOGIN PASSWORD '" + PASSWORD + "'");
    server.sql("postgres", "CREATE DATABASE vault");
    return server;
  }

  /**
   * Starts one that has all that another one has, and every change of that one from then on.
   *
   * @param name by which the other one knows it
   */
  LocalPostgres startStandby(String name) {
    LocalPostgres standby = copy(connection("postgres") + " application_name=" + name, "-R");
    standby.startServer();
    return standby;
  }

  /** Starts one from a backup that was made of this one's files while it ran. */
  LocalPostgres startFromBaseBackup() {
    LocalPostgres restored = copy(connection("postgres"));
    restored.startServer();
    return restored;
  }

  /** Starts one from a dump that was made of this one's database while it ran. */
  LocalPostgres startFromDump() {
    LocalPostgres restored = start(programs);
    Path dump = restored.directory.resolve("vault.dump");
    programs.run("pg_dump", "-d", connection("vault"), "-Fc", "-f", dump.toString());
    programs.run(
        "pg_restore", "-d", restored.connection("vault"), "--exit-on-error", dump.toString());
    return restored;
  }

  private LocalPostgres copy(String source, String... more) {
    LocalPostgres copy = new LocalPostgres(programs, PostgresPrograms.directory());
    List<String> arguments = new ArrayList<>(List.of(more));
    arguments.addAll(List.of("-d", source, "-D", copy.data().toString(), "-X", "stream"));
    arguments.addAll(List.of("-c", "fast"));
    programs.run("pg_basebackup", arguments.toArray(String[]::new));
    return copy;
  }

  private void initialize() {
    Path passwords = directory.resolve("password");
    try {
      Files.writeString(passwords, PASSWORD);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    PostgresPrograms.give(passwords);
    programs.run(
        "initdb",
        "-D",
        data().toString(),
        "-U",
        ownerUser(),
        "-A",
        "scram-sha-256",
        "--pwfile=" + passwords,
        "-E",
        "UTF8",
        "--locale=C");
  }

  private void startServer() {
    programs.run(
        "pg_ctl",
        "-D",
        data().toString(),
        "-w",
        "-l",
        directory.resolve("log").toString(),
        "-o",
        "-p " + port + " -c listen_addresses=127.0.0.1 -c unix_socket_directories=",
        "start");
  }

  private Path data() {
    return directory.resolve("data");
  }

  int port() {
    return port;
  }

  /** What the programs take for the address of a database, with the owner's login. */
  String connection(String database) {
    return "host=127.0.0.1 port=%d user=%s password=%s dbname=%s"
        .formatted(port, ownerUser(), PASSWORD, database);
  }

  /** Runs statements as the owner. */
  void sql(String database, String... statements) {
    for (String statement : statements) {
      programs.run("psql", "-d", connection(database), "-v", "ON_ERROR_STOP=1", "-c", statement);
    }
  }

  /** {@code kill -9} of the process that all others of it belong to. */
  void kill() {
    try {
      Path file = data().resolve("postmaster.pid");
      ProcessHandle.of(Long.parseLong(Files.readAllLines(file).get(0)))
          .orElseThrow()
          .destroyForcibly();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Returns when a standby takes writes. */
  void promote() {
    programs.run("pg_ctl", "-D", data().toString(), "-w", "promote");
  }

  @Override
  public String jdbcUrl() {
    return "jdbc:postgresql://127.0.0.1:" + port + "/vault";
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

  /** Ends it, if it was not killed, and removes its files. */
  @Override
  public void close() {
    if (isRunning()) {
      programs.run("pg_ctl", "-D", data().toString(), "-w", "-m", "immediate", "stop");
    }
    PostgresPrograms.delete(directory);
  }

  private boolean isRunning() {
    try {
      programs.run("pg_ctl", "-D", data().toString(), "status");
      return true;
    } catch (AssertionError ended) {
      return false;
    }
  }
}
