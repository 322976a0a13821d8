package io.tokenvault.engine.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tokenvault.domain.proxy.TransformCode;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.engine.Node;
import io.tokenvault.engine.exchange.Program;
import io.tokenvault.engine.transform.TestPoolSettings;
import io.tokenvault.engine.transform.TransformRunner.Ending;
import io.tokenvault.engine.transform.TransformRunner.Host;
import io.tokenvault.engine.transform.TransformRunner.Run;
import io.tokenvault.engine.transform.WorkerTransforms;
import io.tokenvault.engine.transform.content.Content;
import io.tokenvault.engine.transform.pool.PoolSettings;
import io.tokenvault.engine.wire.BodyKind;
import io.tokenvault.engine.wire.FromWorker.Outcome;
import io.tokenvault.engine.wire.ToWorker.Limits;
import io.tokenvault.ports.runtime.CompiledTransform;
import io.tokenvault.ports.runtime.TransformRuntime.Compilation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares popular npm packages in transforms with Node.js: the scripts return identical bytes in
 * worker processes that call an HTTP server.
 */
@Tag("long")
final class PackagesTest {

  private static final Path FOLDER = Path.of("src/test/resources/packages");
  private static final Path MODULES = Path.of("target/packages").toAbsolutePath();
  private static final TenantId TENANT = new TenantId(UUID.randomUUID());
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration TIMEOUT = Duration.ofMinutes(10);
  private static final String CONTEXT =
      "{\"headers\":{},\"method\":\"POST\",\"path\":\"/\",\"query\":\"\",\"configuration\":{}}";

  private static HttpServer destination;
  private static HttpClient client;
  private static WorkerTransforms transforms;
  private static JsonNode expected;

  @BeforeAll
  static void start() throws Exception {
    assumeTrue(Node.version().isPresent(), Node.MISSING);
    Files.createDirectories(MODULES);
    Files.copy(
        FOLDER.resolve("package.json"),
        MODULES.resolve("package.json"),
        StandardCopyOption.REPLACE_EXISTING);
    assumeTrue(isInstalled(), "the packages are missing: npm and access to a registry are needed");
    destination = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    destination.createContext("/", PackagesTest::echo);
    destination.start();
    client = HttpClient.newHttpClient();
    expected =
        JSON.readTree(
            Node.run(
                Map.of("NODE_PATH", MODULES.resolve("node_modules").toString()),
                "",
                FOLDER.resolve("run.js").toString(),
                url(),
                MODULES.toString()));
    transforms =
        new WorkerTransforms(
            new WorkerTransforms.Settings(
                TestPoolSettings.forTransforms(1),
                PoolSettings.forCompiling(1).withLongWaits(),
                new Limits(60_000, 120_000, 1L << 40, 1L << 32, 1 << 20, 100),
                TIMEOUT,
                TIMEOUT,
                Optional.of(MODULES),
                List.of()));
  }

  @AfterAll
  static void stop() {
    if (transforms != null) {
      transforms.close();
      destination.stop(0);
    }
  }

  private static boolean isInstalled() throws IOException, InterruptedException {
    return new ProcessBuilder("npm", "install", "--no-audit", "--no-fund", "--silent")
            .directory(MODULES.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor()
        == 0;
  }

  private static String url() {
    return "http://127.0.0.1:" + destination.getAddress().getPort();
  }

  /** Responds with the received request, and with 404 to a path that ends in "missing". */
  private static void echo(HttpExchange exchange) throws IOException {
    boolean missing = exchange.getRequestURI().getPath().endsWith("missing");
    ObjectNode received =
        JSON.createObjectNode()
            .put("path", exchange.getRequestURI().toString())
            .put("type", exchange.getRequestHeaders().getFirst("Content-Type"))
            .put("a", exchange.getRequestHeaders().getFirst("X-A"))
            .put(
                "body",
                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
    if (missing) {
      received
          .putObject("error")
          .put("message", "there is none")
          .put("type", "invalid_request_error");
    }
    byte[] body = JSON.writeValueAsBytes(received);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(missing ? 404 : 200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  /** Sends the request of a script, as the server does after authorization and recording. */
  private static Host.Reply fetch(String operation, String json) {
    assertThat(operation).isEqualTo("fetch");
    try {
      JsonNode call = JSON.readTree(json);
      HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(call.path("url").asText()));
      for (JsonNode header : call.path("headers")) {
        // The client determines the length itself.
        if (!header.get(0).asText().equalsIgnoreCase("Content-Length")) {
          request.header(header.get(0).asText(), header.get(1).asText());
        }
      }
      byte[] body = Base64.getDecoder().decode(call.path("body").asText(""));
      request.method(call.path("method").asText(), BodyPublishers.ofByteArray(body));
      HttpResponse<byte[]> response = client.send(request.build(), BodyHandlers.ofByteArray());
      ObjectNode reply =
          JSON.createObjectNode()
              .put("status", response.statusCode())
              .put("url", response.uri().toString())
              .put("body", Base64.getEncoder().encodeToString(response.body()));
      ArrayNode headers = reply.putArray("headers");
      response
          .headers()
          .map()
          .forEach((name, values) -> headers.addArray().add(name).add(values.get(0)));
      return new Host.Reply(true, reply.toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  static Stream<String> scripts() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER.resolve("scripts"))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void packageBehavesAsInNode(String script) throws IOException {
    assumeTrue(expected.has(script), "Node.js 20.19 or later is missing: ES modules are required");
    TransformCode code =
        new TransformCode(Files.readString(FOLDER.resolve("scripts").resolve(script)));
    CompiledTransform program =
        ((Compilation.Compiled) transforms.compile(TENANT, code)).transform();
    byte[] body = JSON.writeValueAsBytes(Map.of("card", "4242424242424242", "url", url()));

    Ending ending =
        transforms.run(
            new Run(
                new Program(TransformKind.REQUEST, TENANT, script, () -> program),
                new Content(BodyKind.JSON, body),
                CONTEXT),
            PackagesTest::fetch);

    Outcome outcome = ((Ending.Reported) ending).finished().outcome();
    assertThat(new String(((Outcome.Returned) outcome).body(), StandardCharsets.UTF_8))
        .isEqualTo(expected.path(script).asText());
  }
}
