package io.tokenvault.server.e2e.http;

import static io.tokenvault.server.e2e.fixture.TenantFixture.proxyDraft;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.e2e.fixture.Call;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Eventually;
import io.tokenvault.server.e2e.fixture.HttpsDestination;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import io.tokenvault.server.e2e.guarantee.AuditFault;
import io.tokenvault.server.e2e.guarantee.Endpoint;
import io.tokenvault.server.e2e.guarantee.EndpointFixture;
import io.tokenvault.server.e2e.guarantee.FaultyVault;
import io.tokenvault.server.e2e.guarantee.PermissionCatalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Compares {@code /openapi.json} with the routes and with their responses. */
@TestInstance(Lifecycle.PER_CLASS)
class OpenApiTest {

  private static final Path ROUTES =
      Path.of("..", "vault-adapters-http", "src/main/java/io/tokenvault/adapters/http");
  private static final Pattern ROUTE =
      Pattern.compile("\\.(get|post|put|patch|delete|open)(?:Idempotent)?\\(\\s*\"(/[^\"]*)\"");
  private static final Set<String> PUBLIC_PATHS =
      Set.of("/healthz", "/readyz", "/openapi.json", "/metrics");
  private static final String REGENERATE = "POST /applications/{id}/regenerate";
  private static final int TOO_LARGE = (12 << 20) + 1;
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  @AutoClose
  private final FaultyVault faulty = FaultyVault.start(Map.of("VAULT_DATABASE_POOL_SIZE", "6"));

  @AutoClose private final HttpsDestination destination = HttpsDestination.start();
  private final RunningVault vault = faulty.vault();
  private final ApiContract contract =
      new ApiContract(vault.get("/openapi.json").expect(200).text());
  private final TenantFixture tenant = vault.newTenant();
  private final Client owner = tenant.owner();

  private final List<EndpointFixture> endpoints =
      Endpoint.ALL.stream()
          .map(each -> new EndpointFixture(faulty, each, destination).prepare())
          .toList();

  @Test
  void documentDescribesExactlyTheRoutes() throws IOException {
    Set<String> routes = new TreeSet<>();
    try (Stream<Path> files = Files.walk(ROUTES)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
        for (MatchResult route : ROUTE.matcher(Files.readString(file)).results().toList()) {
          String method = route.group(1).replace("open", "get").toUpperCase(Locale.ROOT);
          routes.add(method + " " + route.group(2));
        }
      }
    }
    assertThat(routes).hasSizeGreaterThan(25);
    assertThat(contract.operations().stream().filter(each -> !each.endsWith(" /proxy")))
        .containsExactlyElementsOf(routes);
  }

  /** Checks each response, and finally that every documented status was returned. */
  @Test
  void everyDocumentedStatusIsReturnedAsDescribed() throws Exception {
    checkRejections();
    checkUnavailability();
    checkSuccesses();
    checkConflicts();
    checkPreconditionsAndRetries();
    checkOperationalEndpoints();
    checkInvocations();
    checkRateLimits();
    assertThat(contract.seenStatuses()).containsAll(contract.documentedStatuses());
  }

  private void checkSuccesses() {
    for (EndpointFixture each : endpoints) {
      Response response = contract.check(each.operation(), each.call());
      assertThat(response.status()).as("%s", response).isBetween(200, 299);
    }
    JsonNode token =
        Json.object("type", "card_number", "data", "4242424242424242", "deduplicate_token", true);
    for (int status : List.of(201, 200)) {
      contract.check("POST /tokens", owner.post("/tokens", token)).expect(status);
    }
    contract.check("GET /logs", tenant.management().get("/logs?start=&size=1")).expect(200);
  }

  private void checkRejections() {
    for (EndpointFixture each : endpoints) {
      String operation = each.operation();
      check(operation, each.callDenied(), 403, 200);
      check(operation, each.callAnonymously(), 401);
      if (operation.endsWith("/proxy")) {
        continue;
      }
      each.callWithUnknownId().ifPresent(response -> check(operation, response, 404));
      check(operation, each.callWithUnknownParameter(), 400);
      if (operation.matches("(POST|PUT|PATCH) .*")) {
        check(operation, each.callWithBody("application/json", "{"), 400);
        check(operation, each.callWithBody("text/plain", "{}"), 415);
        check(operation, each.callWithBody("application/json", " ".repeat(TOO_LARGE)), 413);
      }
    }
    JsonNode unknownApplication =
        Json.object(
            "application_id", UUID.randomUUID(), "permission", "token:read", "container", "/");
    Response unknown = tenant.management().post("/access/explain", unknownApplication);
    check("POST /access/explain", unknown, 404);
  }

  private Response regenerate(Client application, String grace) {
    String path = "/applications/" + application.id() + "/regenerate?grace_seconds=" + grace;
    return tenant.management().post(path);
  }

  private void checkUnavailability() throws Exception {
    try (AutoCloseable fault = AuditFault.INSERT_FAILS.start(faulty)) {
      assertThat(fault).isNotNull();
      for (EndpointFixture each : endpoints) {
        check(each.operation(), each.call(), each.isRecorded() ? 503 : 200);
      }
    }
  }

  private void checkConflicts() {
    JsonNode taken = Json.object("type", "token", "data", "x", "id", "taken-id");
    owner.post("/tokens", taken).expect(201);
    check("POST /tokens", owner.post("/tokens", taken), 409);
    check("POST /tokenize", owner.post("/tokenize", taken), 409);
    Client rotated = tenant.application("private", "token:read");
    for (int status : List.of(200, 200, 200, 200, 409)) {
      check(REGENERATE, regenerate(rotated, "600"), status);
    }
    Client named = tenant.application("private", "token:use");
    tenant.proxy(proxyDraft(destination.url()).put("application_id", named.id()));
    check(
        "DELETE /applications/{id}",
        tenant.management().delete("/applications/" + named.id()),
        409);
  }

  /**
   * Sends a malformed version and another version in {@code If-Match}, and different requests with
   * the same idempotency key.
   */
  private void checkPreconditionsAndRetries() {
    Client manager = tenant.management();
    String application = "/applications/" + tenant.application("private", "token:use").id();
    String proxy = "/proxies/" + tenant.proxy(destination.url()).path("id").asText();
    String token = "/tokens/" + owner.token("x");
    Object app = Json.object("name", "a", "permissions", List.of("token:use"));
    Object newApp = TenantFixture.draft("private", "token:use");
    Object draft = proxyDraft(destination.url());
    Object patch = Json.object("data", "y");
    checkIfMatch("PUT /applications/{id}", () -> manager.call("PUT", application).json(app));
    checkIfMatch(REGENERATE, () -> manager.call("POST", application + "/regenerate"));
    checkIfMatch("DELETE /applications/{id}", () -> manager.call("DELETE", application));
    checkIfMatch("PATCH /applications/{id}", () -> manager.call("PATCH", application).json("{}"));
    checkIfMatch("PATCH /proxies/{id}", () -> manager.call("PATCH", proxy).json("{}"));
    checkIfMatch("PUT /proxies/{id}", () -> manager.call("PUT", proxy).json(draft));
    checkIfMatch("DELETE /proxies/{id}", () -> manager.call("DELETE", proxy));
    checkIfMatch("PATCH /tokens/{id}", () -> owner.call("PATCH", token).json(patch));
    checkIfMatch("DELETE /tokens/{id}", () -> owner.call("DELETE", token));
    checkRetry("POST /applications", () -> manager.call("POST", "/applications"), newApp);
    checkRetry("PUT /applications/{id}", () -> manager.call("PUT", application), app);
    checkRetry("PATCH /applications/{id}", () -> manager.call("PATCH", application), app);
    checkRetry("PATCH /proxies/{id}", () -> manager.call("PATCH", proxy), draft);
    checkRetry("POST /proxies", () -> manager.call("POST", "/proxies"), draft);
    checkRetry("PUT /proxies/{id}", () -> manager.call("PUT", proxy), draft);
    checkRetry("PATCH /tokens/{id}", () -> owner.call("PATCH", token), patch);
    checkRetry(REGENERATE, () -> manager.call("POST", application + "/regenerate"), Json.object());
  }

  private void checkIfMatch(String operation, Supplier<Call> call) {
    check(operation, call.get().header("If-Match", "malformed").send(), 400);
    check(operation, call.get().header("If-Match", "\"other\"").send(), 412);
  }

  private void checkRetry(String operation, Supplier<Call> call, Object body) {
    check(operation, call.get().idempotent("k").json(body).send(), 200, 201);
    String other = body + " ";
    check(operation, call.get().idempotent("k").json(other).send(), 409);
  }

  private void checkOperationalEndpoints() throws Exception {
    for (String path : List.of("/healthz", "/readyz", "/openapi.json", "/metrics")) {
      check("GET " + path, vault.adminCall("GET", path).send(), 200);
      check("GET " + path, vault.adminCall("GET", path + "?a=b").send(), 400);
    }
    try (AutoCloseable fault = AuditFault.DATABASE_READ_ONLY.start(faulty)) {
      assertThat(fault).isNotNull();
      Eventually.holds("not ready", TIMEOUT, () -> vault.get("/readyz").status() == 503);
      check("GET /readyz", vault.get("/readyz"), 503);
    }
    Eventually.holds("ready", TIMEOUT, () -> vault.get("/readyz").status() == 200);
  }

  private void checkInvocations() {
    HttpsDestination closed = HttpsDestination.start();
    String closedUrl = closed.url();
    closed.close();
    for (String method : List.of("GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH")) {
      String operation = method + " /proxy";
      Call call = owner.call(method, "/proxy/x");
      call.to(destination.url());
      check(operation, call.send(), 200);
      check(operation, owner.call(method, "/proxy").send(), 400);
      Call unreachable = owner.call(method, "/proxy");
      unreachable.to(closedUrl);
      check(operation, unreachable.send(), 502);
    }
  }

  private void checkRateLimits() {
    Client client = tenant.application("private", "token:use");
    Map<String, String> one =
        Map.of("VAULT_APPLICATION_RATE_PER_MINUTE", "1", "VAULT_APPLICATION_RATE_BURST", "1");
    try (RunningVault.Node node = vault.node(one, () -> 0)) {
      node.call("GET", "/permissions").key(client.key()).send().expect(200);
      for (String operation : contract.operations()) {
        String[] words = operation.split(" ");
        String path = words[1].replace("{id}", client.id());
        if (!PUBLIC_PATHS.contains(words[1])) {
          check(operation, node.call(words[0], path).key(client.key()).send(), 429);
        }
      }
    }
  }

  private void check(String operation, Response response, Integer... statuses) {
    assertThat(response.status()).as("%s", response).isIn((Object[]) statuses);
    contract.check(operation, response);
  }

  @Test
  void documentNamesAllPermissionsAndTypes() {
    JsonNode schemas = contract.document().at("/components/schemas");
    assertThat(Json.texts(schemas.at("/PermissionType/enum")))
        .isEqualTo(
            PermissionCatalog.PERMISSIONS.stream().map(PermissionCatalog::permission).toList());
    assertThat(Json.texts(schemas.at("/ApplicationType/enum")))
        .isEqualTo(PermissionCatalog.APPLICATION_TYPES);
  }

  /**
   * Generated Go clients have a function {@code NewToken} that creates a {@code Token}; those in
   * Rust name the type of an enumeration after its property; those in TypeScript use the browser's
   * {@code Headers}.
   */
  @Test
  void schemaNamesDoNotClashInGeneratedClients() {
    JsonNode schemas = contract.document().at("/components/schemas");
    assertThat(schemas.properties())
        .noneMatch(
            schema ->
                Set.of("Headers", "Request", "Response").contains(schema.getKey())
                    || schemas.has("New" + schema.getKey())
                    || schema
                        .getValue()
                        .path("properties")
                        .has(schema.getKey().toLowerCase(Locale.ROOT)));
  }
}
