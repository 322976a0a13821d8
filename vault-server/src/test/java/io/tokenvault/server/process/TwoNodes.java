package io.tokenvault.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.adapters.jdbi.embedded.EmbeddedPostgres;
import io.tokenvault.server.place.Effort;
import io.tokenvault.server.place.FreshPostgres;
import io.tokenvault.server.place.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Two servers on one database, each with its own copy of the master keyset file; processes in the
 * long run, with caches of their own in any case. Commands are given on the first one's machine, so
 * to speak.
 */
final class TwoNodes implements AutoCloseable {

  private final Path directory = Directories.fresh();
  private final Path keyset = directory.resolveSibling("keys.json");
  private final Path otherKeyset = directory.resolveSibling("copy").resolve("keys.json");
  private final EmbeddedPostgres postgres;
  private final List<Node> nodes = new ArrayList<>();

  private TwoNodes() {
    postgres = FreshPostgres.in(directory);
  }

  static TwoNodes start() {
    TwoNodes nodes = new TwoNodes();
    try {
      CommandRun.run(Map.of(), "keys", "init", nodes.keyset.toString()).expectExit(0);
      Files.createDirectory(nodes.otherKeyset.getParent());
      nodes.giveKeysetToSecond();
      nodes.serve(Effort.IS_FULL ? Node::process : Node::inThisJvm);
      return nodes;
    } catch (IOException failed) {
      nodes.close();
      throw new UncheckedIOException(failed);
    } catch (RuntimeException | AssertionError failed) {
      nodes.close();
      throw failed;
    }
  }

  private void serve(Function<Map<String, String>, Node> kind) {
    List<Integer> ports = Ports.free(2);
    for (Path file : List.of(keyset, otherKeyset)) {
      Map<String, String> settings = settings(file);
      settings.put("VAULT_PORT", String.valueOf(ports.get(nodes.size())));
      settings.put("VAULT_TRANSFORM_SPARE_WORKERS", "0");
      Node node = kind.apply(settings);
      nodes.add(node);
      node.start();
    }
  }

  void restart() {
    nodes.forEach(Node::stop);
    nodes.forEach(Node::start);
  }

  Map<String, String> settings(Path keysetFile) {
    Map<String, String> settings = new HashMap<>();
    settings.put("VAULT_DATABASE_URL", postgres.jdbcUrl());
    settings.put("VAULT_DATABASE_USER", postgres.runtimeUser());
    settings.put("VAULT_DATABASE_PASSWORD", postgres.runtimePassword());
    settings.put("VAULT_DATABASE_OWNER_USER", postgres.ownerUser());
    settings.put("VAULT_DATABASE_OWNER_PASSWORD", postgres.ownerPassword());
    settings.put("VAULT_DATABASE_POOL_SIZE", "4");
    settings.put("VAULT_DATABASE_POOL_TIMEOUT_MS", "30000");
    settings.put("VAULT_MASTER_KEYSET_FILE", keysetFile.toString());
    return settings;
  }

  /** A file that does not exist yet, on the first node. */
  Path file(String name) {
    return directory.resolveSibling(name);
  }

  /** As the documentation says: next to the old one, and renamed. */
  void giveKeysetToSecond() {
    Path arrived = otherKeyset.resolveSibling("arrived.json");
    try {
      Files.copy(keyset, arrived, StandardCopyOption.COPY_ATTRIBUTES);
      Files.move(arrived, otherKeyset, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** The file of the first node: its two keysets as Tink writes them. */
  JsonNode keyset() {
    try {
      return Http.json(Files.readString(keyset));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  CommandRun command(String... arguments) {
    return CommandRun.run(settings(keyset), arguments);
  }

  /** The same in a process of its own. */
  VaultProcess process(String... arguments) {
    return VaultProcess.run(settings(keyset), arguments);
  }

  /** What a command prints, line by line. */
  List<JsonNode> lines(String... arguments) {
    return command(arguments).expectExit(0).out().lines().map(Http::json).toList();
  }

  JsonNode newTenant(String name) {
    return Http.json(command("tenant", "create", "--name", name).expectExit(0).out());
  }

  /** A private application that may do everything with tokens and reads them in the clear. */
  JsonNode newOwner(JsonNode tenant) {
    String permissions =
        "[\"token:create\",\"token:read\",\"token:search\",\"token:update\",\"token:delete\"]";
    return Http.json(
        onFirst(tenant)
            .post(
                "/applications",
                "{\"name\":\"owner\",\"type\":\"private\",\"rules\":[{\"description\":\"all\","
                    + "\"priority\":1,\"container\":\"/\",\"transform\":\"reveal\","
                    + "\"permissions\":"
                    + permissions
                    + "}]}")
            .body());
  }

  Http onFirst(JsonNode keyHolder) {
    return new Http(nodes.get(0).url(), keyHolder.path("key").asText());
  }

  Http onSecond(JsonNode keyHolder) {
    return new Http(nodes.get(1).url(), keyHolder.path("key").asText());
  }

  /** The same on each of the two. */
  List<Http> onBoth(JsonNode keyHolder) {
    return List.of(onFirst(keyHolder), onSecond(keyHolder));
  }

  /** The first column of the rows, as text. */
  List<String> select(String query, String... parameters) {
    try (Connection connection =
            DriverManager.getConnection(
                postgres.jdbcUrl(), postgres.ownerUser(), postgres.ownerPassword());
        PreparedStatement statement = connection.prepareStatement(query)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setString(i + 1, parameters[i]);
      }
      ResultSet rows = statement.executeQuery();
      List<String> texts = new ArrayList<>();
      while (rows.next()) {
        texts.add(rows.getString(1));
      }
      return texts;
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  /**
   * All that is stored, except when nodes were seen and keys used last, and what is sealed
   * meanwhile.
   */
  Map<String, List<String>> content() {
    Map<String, List<String>> content = new HashMap<>();
    List<String> tables =
        select(
            "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
                + " AND tablename NOT IN ('node_keyset', 'audit_seal', 'audit_sealer')");
    assertThat(tables).contains("tenant", "tenant_key", "credential", "token", "key_proof");
    tables.forEach(
        table ->
            content.put(
                table,
                select(
                    "SELECT (to_jsonb(t) - 'last_used_at')::text FROM "
                        + table
                        + " t ORDER BY 1")));
    content.put("nodes", select("SELECT node_id::text FROM node_keyset ORDER BY 1"));
    return content;
  }

  @Override
  public void close() {
    nodes.forEach(Node::stop);
    postgres.close();
  }
}
