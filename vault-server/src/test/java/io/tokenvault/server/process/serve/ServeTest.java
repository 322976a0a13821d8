package io.tokenvault.server.process.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.e2e.fixture.Call;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import io.tokenvault.server.environment.Ports;
import io.tokenvault.server.process.fixture.CommandRun;
import io.tokenvault.server.process.fixture.DataDirectories;
import io.tokenvault.server.process.fixture.PostgresPrograms;
import io.tokenvault.server.process.fixture.VaultProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the start, the shutdown, and the loss of a server with an embedded database. */
@Timeout(600)
final class ServeTest {

  private static final int EXIT_SIGTERM = 143;

  /** Arabic as in Egypt, where Java formats numbers with the digits of that language. */
  private static final String[] LOCALE_WITH_OWN_DIGITS = {
    "-Duser.language=ar", "-Duser.country=EG"
  };

  /** Combines several tests of processes, since each start of a server is slow. */
  @Test
  void killedServerLosesNothingAndNextOneDrainsBeforeExit() throws IOException {
    Path data = DataDirectories.withEmptyDatabase();
    Path keyFile = data.resolve("first-key.json");
    String key;
    String applicationKey;
    ProcessHandle postgres;
    try (VaultProcess server =
        VaultProcess.serve("256m", withJsonLog(data), LOCALE_WITH_OWN_DIGITS)) {
      key = assertFirstStart(server, data, keyFile);
      assertSecondServerIsRefused(server, data);
      applicationKey = createApplication(new Client(server.url(), key));
      assertNothingSecretIsPrinted(server, key, applicationKey);
      postgres = PostgresPrograms.postmaster(data.resolve("postgres"));
      server.kill();
    }
    VaultProcess.awaitThat("the end of PostgreSQL", () -> !postgres.isAlive());
    Files.delete(keyFile);
    try (VaultProcess restarted = VaultProcess.serve(DataDirectories.settings(data))) {
      assertThat(keyFile).as("first-key.json, although a tenant exists").doesNotExist();
      assertThat(new Client(restarted.url(), key).status()).isEqualTo(200);
      assertThat(new Client(restarted.url(), applicationKey).status()).isEqualTo(200);
      assertRequestInFlightFinishes(restarted, key);
      restarted.expectExit(EXIT_SIGTERM);
    }
  }

  @Test
  void unwritableKeyFileIsReportedWithCommandForAnotherKey() throws IOException {
    Path data = DataDirectories.withEmptyDatabase();
    Files.createDirectories(data.resolve("first-key.json").resolve("file"));

    String err = CommandRun.run(DataDirectories.settings(data), "serve").expectExit(1).err();

    assertThat(err)
        .contains("first-key.json", "vault-server application reset-key --tenant ", " --id ")
        .doesNotContain("\tat ");
  }

  private static Map<String, String> withJsonLog(Path data) {
    Map<String, String> settings = DataDirectories.settings(data);
    settings.put("VAULT_LOG_FORMAT", "json");
    settings.put("VAULT_ACCESS_LOG", "stdout");
    return settings;
  }

  /** Asserts the files and log of a first start, and returns the key of the first tenant. */
  private static String assertFirstStart(VaultProcess server, Path data, Path keyFile)
      throws IOException {
    assertThat(DataDirectories.permissions(keyFile)).isEqualTo("rw-------");
    assertThat(DataDirectories.permissions(data.resolve("master-keyset.json")))
        .isEqualTo("rw-------");
    String key = Json.parse(Files.readString(keyFile)).path("key").asText();
    assertThat(new Client(server.url(), key).get("/logs").totalItems())
        .as("entries for the tenant and its application")
        .isEqualTo(2);
    Client keyless = new Client(server.url(), "none");
    keyless.get("/healthz").expect(200);
    keyless.get("/readyz").expect(200);
    assertThat(server.err()).contains("first-key.json", "master-keyset.json");
    return key;
  }

  private static void assertSecondServerIsRefused(VaultProcess first, Path data) {
    assertThat(CommandRun.run(DataDirectories.settings(data), "serve").expectExit(1).err())
        .contains(data.toString(), Long.toString(first.pid()))
        .doesNotContain("Exception");
  }

  private static String createApplication(Client http) {
    JsonNode draft = TenantFixture.draft("private", "token:create", "token:use");
    return http.post("/applications", draft).expect(201).text("key");
  }

  /** Asserts that the output has no secrets and that each line of the log is JSON. */
  private static void assertNothingSecretIsPrinted(
      VaultProcess server, String key, String applicationKey) {
    String marker = "planted-" + UUID.randomUUID();
    Client client = new Client(server.url(), applicationKey);
    String token = "{\"type\":\"token\",\"data\":\"" + marker + "\"}";
    client.post("/tokens", token).expect(201);
    client.post("/tokens", token + marker).expect(400);
    client.get("/tokens/" + marker + "?page=" + marker).expect(403);
    assertThat(new Client(server.url(), marker).status()).isEqualTo(401);
    Call unreachable = client.call("POST", "/proxy").to("https://nothing.invalid").json("[]");
    unreachable.header("Authorization", marker).send().expect(502);
    assertRequestsAreOnStandardOutput(server, marker, key, applicationKey);
    assertThat(server.err()).isNotEmpty().doesNotContain(marker, key, applicationKey);
    server
        .err()
        .lines()
        .filter(line -> !line.isBlank())
        .forEach(
            line -> {
              assertThat(Json.parse(line).path("level").asText()).as(line).isIn("INFO", "WARN");
              assertThat(Json.parse(line).path("formattedMessage").asText()).as(line).isNotEmpty();
            });
  }

  private static void assertRequestsAreOnStandardOutput(VaultProcess server, String... secrets) {
    VaultProcess.awaitThat(
        "the line of the last request", () -> server.out().contains("\"route\":\"/proxy\""));
    assertThat(server.out()).doesNotContain(secrets);
    List<JsonNode> lines = server.out().lines().map(Json::parse).toList();
    assertThat(lines).allMatch(line -> line.path("log").asText().equals("access"));
    JsonNode refused =
        lines.stream()
            .filter(line -> line.path("route").asText().equals("/tokens/{id}"))
            .findFirst()
            .orElseThrow();
    assertThat(refused.path("status").asInt()).isEqualTo(403);
    assertThat(Json.properties(refused, "application_id", "tenant_id", "request_id"))
        .doesNotContain("");
    assertThat(refused.path("response_bytes").asInt()).isPositive();
  }

  @Test
  void portInUseIsRejectedBeforeAnythingIsCreated() throws IOException {
    Path data = DataDirectories.fresh();
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(taken.getLocalPort());
      Map<String, String> settings = DataDirectories.settings(data);
      settings.put("VAULT_PORT", port);
      assertThat(CommandRun.run(settings, "serve").expectExit(3).err())
          .contains("VAULT_PORT cannot be used", port)
          .doesNotContain("Internal error");
    }
    assertThat(data).as("data directory").doesNotExist();
  }

  @Test
  void unusableFilesAreReportedTogetherBeforeAnythingIsCreated() throws IOException {
    Path data = DataDirectories.fresh();
    Path file = Files.writeString(data.resolveSibling("some.txt"), "planted text");
    Map<String, String> settings = DataDirectories.settings(data);
    for (String name :
        List.of("TLS_CERT_FILE", "TLS_KEY_FILE", "EGRESS_CA_FILE", "MASTER_KEYSET_FILE")) {
      settings.put("VAULT_" + name, file.toString());
    }
    assertThat(CommandRun.run(settings, "serve").expectExit(3).err())
        .contains("VAULT_TLS_CERT_FILE", "VAULT_EGRESS_CA_FILE", "master keyset file " + file)
        .doesNotContain("planted text", "Internal error");
    assertThat(data).doesNotExist();
  }

  @Tag("long")
  @Test
  void requiredIsolationIsRejectedWhereTheSystemForbidsIt() {
    Path data = DataDirectories.fresh();
    Map<String, String> settings = DataDirectories.settings(data);
    settings.put("VAULT_TRANSFORM_ISOLATION", "required");
    VaultProcess refused = VaultProcess.runWithoutIsolation(settings, "serve").expectExit(3);
    assertThat(refused.err())
        .contains("VAULT_TRANSFORM_ISOLATION is required", "sysctl user.max_user_namespaces=");
    assertThat(data).doesNotExist();
  }

  private static void assertRequestInFlightFinishes(VaultProcess server, String key)
      throws IOException {
    String body = "{\"name\":\"In flight\",\"type\":\"management\",\"permissions\":[\"log:read\"]}";
    int port = URI.create(server.url()).getPort();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(30_000);
      String head =
          """
          POST /applications HTTP/1.1\r
          Host: vault.test\r
          Connection: close\r
          SVC-API-KEY: %s\r
          Content-Type: application/json\r
          Content-Length: %d\r
          Expect: 100-continue\r
          \r
          """;
      send(socket, head.formatted(key, body.length()));
      // The server processes the request once it asks for the body.
      String proceed = "HTTP/1.1 100 Continue\r\n\r\n";
      assertThat(socket.getInputStream().readNBytes(proceed.length()))
          .asString(StandardCharsets.US_ASCII)
          .isEqualTo(proceed);
      send(socket, body.substring(0, 5));
      server.terminate();
      server.await("a server that accepts no more connections", () -> !Ports.accepts(port));
      assertThat(server.isAlive()).isTrue();
      send(socket, body.substring(5));
      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .startsWith("HTTP/1.1 201")
          .contains("In flight");
    }
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    socket.getOutputStream().flush();
  }

  @Test
  void lostKeysetIsNotReplacedIfDataExists() throws IOException {
    Path data = DataDirectories.withTenant();
    Path keyset = data.resolve("master-keyset.json");
    Files.delete(keyset);
    CommandRun refused = CommandRun.run(DataDirectories.settings(data), "serve").expectExit(3);
    assertThat(refused.err()).contains(keyset.toString());
    assertThat(keyset).doesNotExist();
  }
}
