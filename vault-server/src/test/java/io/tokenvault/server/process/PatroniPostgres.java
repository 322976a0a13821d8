package io.tokenvault.server.process;

import static org.assertj.core.api.Assumptions.assumeThat;

import io.tokenvault.server.place.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Two PostgreSQL servers that Patroni manages, with an etcd that it keeps its state in. Every
 * commit waits for the standby ({@code synchronous_mode}).
 */
final class PatroniPostgres implements DatabaseUnderTest {

  private static final String PASSWORD = "local";

  private static final String CONFIGURATION =
      """
      {"scope": "vault", "name": "%1$s",
       "restapi": {"listen": "127.0.0.1:%2$d", "connect_address": "127.0.0.1:%2$d"},
       "etcd3": {"host": "127.0.0.1:%3$d"},
       "bootstrap": {
         "dcs": {"ttl": 20, "loop_wait": 2, "retry_timeout": 5, "synchronous_mode": true},
         "initdb": [{"encoding": "UTF8"}, {"locale": "C"}, "data-checksums"]},
       "postgresql": {
         "listen": "127.0.0.1:%4$d", "connect_address": "127.0.0.1:%4$d",
         "data_dir": "%5$s/data", "bin_dir": "%6$s", "pgpass": "%5$s/pgpass",
         "parameters": {"unix_socket_directories": ""},
         "pg_hba": ["host all all 127.0.0.1/32 scram-sha-256",
                    "host replication replicator 127.0.0.1/32 scram-sha-256"],
         "authentication": {
           "superuser": {"username": "vault_owner", "password": "%7$s"},
           "replication": {"username": "replicator", "password": "%7$s"}}}}
      """;

  private final HttpClient http = HttpClient.newHttpClient();
  private final Path etcdDirectory = PostgresPrograms.directory();
  private final int etcdPort = Ports.free(1).get(0);
  private final List<Node> nodes = new ArrayList<>();
  private Process etcd;

  private PatroniPostgres() {}

  /** Returns when a standby takes part in every commit. Skips the test without the programs. */
  static PatroniPostgres start() {
    PostgresPrograms programs = PostgresPrograms.require();
    for (String program : List.of("patroni", "etcd")) {
      assumeThat(Path.of("/usr/bin", program))
          .as("Debian's packages patroni and etcd-server, without which this is skipped")
          .isExecutable();
    }
    PatroniPostgres cluster = new PatroniPostgres();
    try {
      cluster.startAll(programs);
      return cluster;
    } catch (RuntimeException | Error failed) {
      cluster.close();
      throw failed;
    }
  }

  private void startAll(PostgresPrograms programs) {
    startEtcd(programs);
    for (String name : List.of("one", "two")) {
      nodes.add(startNode(programs, name));
      VaultProcess.awaitThat("a leader", () -> nodes.stream().anyMatch(this::isLeader));
    }
    VaultProcess.awaitThat(
        "a synchronous standby", () -> nodes.stream().anyMatch(node -> is("sync", node)));
    sql("CREATE ROLE vault_runtime LOGIN PASSWORD '" + PASSWORD + "'");
    sql("CREATE DATABASE vault");
  }

  private void startEtcd(PostgresPrograms programs) {
    String client = "http://127.0.0.1:" + etcdPort;
    String peer = "http://127.0.0.1:" + Ports.free(1).get(0);
    List<String> command = new ArrayList<>(List.of("/usr/bin/etcd"));
    command.addAll(List.of("--data-dir", etcdDirectory.resolve("data").toString()));
    command.addAll(List.of("--listen-client-urls", client, "--advertise-client-urls", client));
    command.addAll(List.of("--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer));
    command.addAll(List.of("--initial-cluster", "default=" + peer));
    etcd = programs.start(etcdDirectory.resolve("log"), command);
    VaultProcess.awaitThat("etcd", () -> status(client + "/health") == 200);
  }

  private Node startNode(PostgresPrograms programs, String name) {
    Path directory = PostgresPrograms.directory();
    List<Integer> ports = Ports.free(2);
    Path file = directory.resolve("patroni.yml");
    try {
      Files.writeString(
          file,
          CONFIGURATION.formatted(
              name,
              ports.get(0),
              etcdPort,
              ports.get(1),
              directory,
              programs.directoryOfPrograms(),
              PASSWORD));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    PostgresPrograms.give(file);
    Process patroni =
        programs.start(
            directory.resolve("patroni.log"), List.of("/usr/bin/patroni", file.toString()));
    return new Node(directory, ports.get(0), ports.get(1), patroni);
  }

  private boolean isLeader(Node node) {
    return is("primary", node);
  }

  private boolean is(String role, Node node) {
    return status("http://127.0.0.1:" + node.apiPort() + "/" + role) == 200;
  }

  /** Returns 0 where nobody answers. */
  private int status(String url) {
    try {
      HttpRequest request = HttpRequest.newBuilder(URI.create(url)).build();
      return http.send(request, BodyHandlers.discarding()).statusCode();
    } catch (IOException notThere) {
      return 0;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }

  /**
   * Kills the leader's PostgreSQL and its Patroni with {@code kill -9}, as the loss of the machine
   * would; returns the moment at which the other node was seen to be the leader.
   */
  long loseLeader() {
    Node lost = nodes.stream().filter(this::isLeader).findFirst().orElseThrow();
    Node other = nodes.stream().filter(node -> !node.equals(lost)).findFirst().orElseThrow();
    long postmaster = lost.postmaster();
    lost.patroni().destroyForcibly();
    ProcessHandle.of(postmaster).orElseThrow().destroyForcibly();
    VaultProcess.awaitThat("another leader", () -> isLeader(other));
    return System.nanoTime();
  }

  private void sql(String statement) {
    String url = jdbcUrl().replace("/vault?", "/postgres?");
    try (Connection connection = DriverManager.getConnection(url, ownerUser(), ownerPassword());
        Statement work = connection.createStatement()) {
      work.execute(statement);
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  /** Returns the URL of whichever of the two takes writes. */
  @Override
  public String jdbcUrl() {
    return "jdbc:postgresql://127.0.0.1:%d,127.0.0.1:%d/vault?targetServerType=primary"
        .formatted(nodes.get(0).port(), nodes.get(1).port());
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

  /** Ends all that still runs, and removes the files. */
  @Override
  public void close() {
    nodes.forEach(node -> end(node.patroni()));
    if (etcd != null) {
      end(etcd);
    }
    nodes.forEach(node -> PostgresPrograms.delete(node.directory()));
    PostgresPrograms.delete(etcdDirectory);
  }

  /** Patroni takes its PostgreSQL along. */
  private static void end(Process process) {
    process.destroy();
    try {
      if (!process.waitFor(1, TimeUnit.MINUTES)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }

  private record Node(Path directory, int apiPort, int port, Process patroni) {

    long postmaster() {
      try {
        Path file = directory.resolve("data").resolve("postmaster.pid");
        return Long.parseLong(Files.readAllLines(file).get(0));
      } catch (IOException failed) {
        throw new UncheckedIOException(failed);
      }
    }
  }
}
