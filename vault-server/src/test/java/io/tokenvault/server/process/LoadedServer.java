package io.tokenvault.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A server under load, on a database that faults come to. */
final class LoadedServer implements AutoCloseable {

  private static final String OWNER =
      """
      {"name":"owner","type":"private","rules":[{"description":"all","priority":1,
       "container":"/","transform":"reveal",
       "permissions":["token:create","token:read","token:use"]}]}
      """;

  private static final String NOT_SEALED =
      """
      SELECT (SELECT count(*) FROM audit_entry)
        - (SELECT coalesce(sum(cardinality(sequences)), 0) FROM audit_seal)
      """;

  private DatabaseUnderTest database;
  private final Map<String, String> settings = new HashMap<>();
  private final EchoDestination destination = new EchoDestination();
  private final Path checkpoints;
  private final String managementKey;
  private final String ownerKey;
  private volatile VaultProcess server;

  /**
   * @param databaseUrl how the server reaches it
   */
  LoadedServer(DatabaseUnderTest database, Path directory, String databaseUrl) {
    this(database, directory, databaseUrl, Map.of());
  }

  /** The same with further settings. */
  LoadedServer(
      DatabaseUnderTest database, Path directory, String databaseUrl, Map<String, String> further) {
    this.database = database;
    settings.put("VAULT_DATABASE_URL", databaseUrl);
    settings.put("VAULT_DATABASE_USER", database.runtimeUser());
    settings.put("VAULT_DATABASE_PASSWORD", database.runtimePassword());
    settings.put("VAULT_DATABASE_OWNER_USER", database.ownerUser());
    settings.put("VAULT_DATABASE_OWNER_PASSWORD", database.ownerPassword());
    settings.put("VAULT_MASTER_KEYSET_FILE", directory.resolveSibling("keys.json").toString());
    settings.putAll(destination.reachableFrom(Map.of(), directory.getParent()));
    checkpoints = directory.resolveSibling("checkpoints.jsonl");
    settings.put("VAULT_AUDIT_CHECKPOINTS", "file:" + checkpoints);
    settings.put("VAULT_AUDIT_CHECKPOINT_SECONDS", "1");
    settings.putAll(further);
    CommandRun.run(Map.of(), "keys", "init", settings.get("VAULT_MASTER_KEYSET_FILE"))
        .expectExit(0);
    start();
    JsonNode tenant = Http.json(command("tenant", "create", "--name", "t").out());
    managementKey = tenant.path("key").asText();
    HttpResponse<String> owner = management().post("/applications", OWNER);
    assertThat(owner.statusCode()).as("%s", owner.body()).isEqualTo(201);
    ownerKey = Http.json(owner.body()).path("key").asText();
  }

  /** Starts it, or starts it again. */
  void start() {
    server = VaultProcess.serve(settings);
  }

  /** Ends it in good order and starts it again. */
  void restart() {
    server.close();
    start();
  }

  /** Ends it and starts it on what was restored from its database. */
  void restartOn(DatabaseUnderTest restored) {
    server.close();
    database = restored;
    settings.put("VAULT_DATABASE_URL", restored.jdbcUrl());
    start();
  }

  /** Ends it, restores a backup of its database into another one, and starts it on that. */
  void restoreInto(DatabaseUnderTest fresh, Path backup) {
    server.close();
    settings.put("VAULT_DATABASE_URL", fresh.jdbcUrl());
    command("restore", backup.toString());
    restartOn(fresh);
  }

  /** Runs a command of the operator's, which has to end well. */
  CommandRun command(String... arguments) {
    return CommandRun.run(settings, arguments).expectExit(0);
  }

  /** Starts it again with a heap of its own size, and options of the JVM's. */
  void restartWithHeap(String heap, String... options) {
    server.close();
    server = VaultProcess.serveWithOptions(heap, List.of(options), settings);
  }

  /** Starts it again so that it can have this many files and connections open. */
  void restartWithDescriptors(int limit) {
    server.close();
    server = VaultProcess.serveWithDescriptors(limit, settings);
  }

  /** The URL of a destination that accepts connections and says nothing. */
  String silentDestination(int port) {
    return destination.url().replaceFirst(":[0-9]+$", ":" + port);
  }

  String destinationUrl() {
    return destination.url();
  }

  String ownerKey() {
    return ownerKey;
  }

  VaultProcess server() {
    return server;
  }

  Http owner() {
    return new Http(server, ownerKey);
  }

  /** As the tenant's first application, which may make others. */
  Http management() {
    return new Http(server, managementKey);
  }

  LoadDriver load(int clients) {
    LoadDriver load = LoadDriver.start(clients, this::owner, destination.url());
    load.awaitSuccess("at the beginning");
    return load;
  }

  /** What was acknowledged is there, nothing is half done, and nothing left unrecorded. */
  void check(LoadDriver load) {
    load.created()
        .forEach(
            (id, data) -> {
              HttpResponse<String> answer = owner().get("/tokens/" + id);
              assertThat(answer.statusCode()).as("%s", answer.body()).isEqualTo(200);
              assertThat(answer.body()).contains(data);
            });
    String isCreation = "e.operation = 'create' AND e.entity_type = 'token'";
    assertThat(
            database.number(
                "SELECT count(*) FROM token t WHERE 1 <> (SELECT count(*) FROM audit_entry e"
                    + " WHERE e.tenant_id = t.tenant_id AND e.entity_id = t.token_id AND "
                    + isCreation
                    + ")"))
        .as("tokens without exactly one entry of their creation")
        .isZero();
    assertThat(database.number("SELECT count(*) FROM audit_entry e WHERE " + isCreation))
        .as("entries of creations, of tokens that are there")
        .isEqualTo(database.number("SELECT count(*) FROM token"));
    assertThat((long) destination.count())
        .as("requests at the destination, of those recorded before")
        .isLessThanOrEqualTo(
            database.number("SELECT count(*) FROM audit_entry WHERE message = 'Proxy invoked'"));
    verifyLog();
  }

  /** Every entry is sealed, and the log is what the checkpoints say. */
  void verifyLog() {
    awaitSeals();
    command("audit", "verify", "--checkpoints", checkpoints.toString());
  }

  void awaitSeals() {
    server.await("all entries to be sealed", () -> database.number(NOT_SEALED) == 0);
  }

  Path checkpointFile() {
    return checkpoints;
  }

  /** How many checkpoints of the log were written. */
  long checkpoints() {
    try (Stream<String> lines = Files.lines(checkpoints)) {
      return lines.count();
    } catch (NoSuchFileException none) {
      return 0;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** How many requests have arrived at the destination. */
  int arrived() {
    return destination.count();
  }

  @Override
  public void close() {
    server.close();
    destination.close();
  }
}
