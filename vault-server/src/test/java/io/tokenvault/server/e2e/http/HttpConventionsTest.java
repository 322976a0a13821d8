package io.tokenvault.server.e2e.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.e2e.fixture.Call;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import io.tokenvault.server.e2e.fixture.Wire;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What holds for all endpoints: problems, trace ids, methods, content types, pages. */
class HttpConventionsTest {

  private static final RunningVault VAULT = RunningVault.shared();
  private static final String BODY = TenantFixture.draft("private", "token:read").toString();

  private final TenantFixture tenant = VAULT.newTenant();
  private final Client management = tenant.management();

  @TestFactory
  Stream<DynamicTest> everyErrorIsProblemWithStableType() {
    Client reader = tenant.application("private", "token:read");
    String unknown = "/applications/" + UUID.randomUUID();
    Map<String, Response> errors = new LinkedHashMap<>();
    errors.put("400 validation-failed", management.post("/applications", "{}"));
    errors.put("401 unauthenticated", VAULT.get("/applications"));
    errors.put("403 forbidden", reader.get("/applications"));
    errors.put("404 not-found", management.get(unknown));
    errors.put("405 method-not-allowed", management.delete("/permissions"));
    errors.put(
        "415 unsupported-media-type",
        management.call("POST", "/proxies").body("text/plain", "{}").send());
    return errors.entrySet().stream()
        .map(each -> dynamicTest(each.getKey(), () -> isProblem(each.getKey(), each.getValue())));
  }

  private static void isProblem(String expected, Response response) {
    String[] statusAndType = expected.split(" ");
    int status = Integer.parseInt(statusAndType[0]);
    response.expectProblem(status, statusAndType[1]);
    assertThat(Json.names(response.json()))
        .containsAll(List.of("type", "title", "status", "detail", "instance"))
        .isSubsetOf("type", "title", "status", "detail", "instance", "errors");
    assertThat(response.json().has("errors")).isEqualTo(status == 400);
    assertThat(response.get("status").asInt()).isEqualTo(status);
    assertThat(response.text("title")).isNotBlank();
    assertThat(response.text("detail")).isNotBlank();
    assertThat(response.text("instance"))
        .startsWith("urn:")
        .endsWith(response.header("SVC-TRACE-ID").orElseThrow());
  }

  @Test
  void traceIdIsEchoedOnSuccessAndFailure() {
    String longest = "t".repeat(100);

    for (String trace : List.of("!#$%&'*+^_`|~ {}()<>", longest)) {
      assertThat(traced("/permissions", trace).expect(200).header("SVC-TRACE-ID")).hasValue(trace);
      assertThat(traced("/proxies/x", trace).expect(404).header("SVC-TRACE-ID")).hasValue(trace);
      assertThat(
              VAULT.call("GET", "/logs").header("SVC-TRACE-ID", trace).send().expect(401).headers())
          .satisfies(headers -> assertThat(headers.allValues("SVC-TRACE-ID")).containsOnly(trace));
    }
    assertThat(traced("/proxies/x", "trace-17").text("instance")).endsWith(":trace-17");
  }

  @Test
  void unusableTraceIdIsReplaced() {
    String tooLong = "t".repeat(101);

    String replaced = traced("/permissions", tooLong).header("SVC-TRACE-ID").orElseThrow();
    String other = traced("/permissions", tooLong).header("SVC-TRACE-ID").orElseThrow();

    assertThat(List.of(tooLong, replaced, other)).doesNotHaveDuplicates();
    assertThat(replaced).matches("[!-~]{1,100}");
    for (String bad : List.of("", "caf\u00e9", "a\tb")) {
      assertThat(
              Wire.exchange(VAULT.port(), "GET /healthz HTTP/1.1", "SVC-TRACE-ID: " + bad)
                  .header("SVC-TRACE-ID"))
          .hasValueSatisfying(id -> assertThat(id).matches("[!-~]{1,100}").isNotEqualTo(bad));
    }
  }

  private Response traced(String path, String trace) {
    return management.call("GET", path).header("SVC-TRACE-ID", trace).send();
  }

  @Test
  void untypedBodyIsJsonAndEmptyBodyIsNever415() {
    management.call("POST", "/applications").bareBody(BODY.getBytes(UTF_8)).send().expect(201);
    management.call("POST", "/applications").body("text/plain", "").send().expect(400);
    String path = "/applications/" + tenant.application("private", "token:read").id();
    management.call("POST", path + "/regenerate").body("text/plain", "").send().expect(200);
  }

  @Test
  void bodyOfUnknownLengthIsRejectedOverLimit() {
    byte[] large = new byte[13 << 20];
    Arrays.fill(large, (byte) ' ');

    management
        .call("POST", "/applications")
        .chunkedBody("application/json", large)
        .send()
        .expectProblem(413, "body-too-large");
  }

  @TestFactory
  Stream<DynamicTest> everyListUsesStandardPagination() {
    Client owner = tenant.owner();
    owner.token("x");
    tenant.proxy("https://a.example.com");
    return Stream.of("/applications", "/proxies", "/tokens", "/logs")
        .map(
            path ->
                dynamicTest(path, () -> pages(path.equals("/tokens") ? owner : management, path)));
  }

  private static void pages(Client client, String path) {
    Response standard = client.get(path).expect(200);
    assertThat(Json.names(standard.json())).containsExactlyInAnyOrder("pagination", "data");
    JsonNode pagination = standard.get("pagination");
    assertThat(Json.names(pagination))
        .containsExactlyInAnyOrder("total_items", "page_number", "page_size", "total_pages");
    assertThat(pagination.get("page_number").asInt()).isOne();
    assertThat(pagination.get("page_size").asInt()).isEqualTo(20);
    Response past = client.get(path + "?page=1000&size=100").expect(200);
    assertThat(past.get("data")).isEmpty();
    past.expectPage(1000, 100, past.totalItems(), 1);
    client.get(path + "?page=2147483647&size=100").expect(200);
    client.get(path + "?size=0&page=0").expectErrorsAt("size", "page");
  }

  @Test
  void anotherHeaderPrefixServesClientsThatWereWrittenForIt() {
    try (var node = VAULT.node(Map.of("VAULT_HEADER_PREFIX", "BT-"))) {
      Response response =
          node.call("GET", "/applications")
              .header("BT-API-KEY", management.key())
              .header("BT-TRACE-ID", "mine")
              .send()
              .expect(200);
      assertThat(response.header("BT-TRACE-ID")).hasValue("mine");
      assertThat(response.header("SVC-TRACE-ID")).isEmpty();
      Response unauthenticated = node.call("GET", "/applications").key(management.key()).send();
      unauthenticated.expectProblem(401, "unauthenticated");
      assertThat(unauthenticated.get("detail").asText())
          .endsWith("Send it in the BT-API-KEY header.");
      JsonNode proxy = tenant.proxy("https://a.example.com");
      Response closed =
          node.call("POST", "/proxy?bt-proxy-key=" + proxy.get("key").asText()).send().expect(401);
      assertThat(closed.get("proxy_error").path("status").asInt()).isEqualTo(401);
    }
  }

  @Test
  void browsersOfAllowedOriginsMayUseTokensAndTheProxyOnly() {
    String origin = "https://shop.example.com";
    try (var node = VAULT.node(Map.of("VAULT_CORS_ALLOWED_ORIGINS", origin))) {
      for (String path : List.of("/tokens", "/proxy/a")) {
        Response preflight = preflight(node.call("OPTIONS", path), origin);
        assertThat(preflight.status()).as(path).isBetween(200, 204);
        assertThat(preflight.header("Access-Control-Allow-Origin")).hasValue(origin);
        Response refused = preflight(node.call("OPTIONS", path), "https://evil.example.com");
        assertThat(refused.header("Access-Control-Allow-Origin")).isEmpty();
      }
      Response refused = preflight(node.call("OPTIONS", "/applications"), origin);
      assertThat(refused.header("Access-Control-Allow-Origin")).isEmpty();
    }
  }

  private static Response preflight(Call call, String origin) {
    return call.header("Origin", origin)
        .header("Access-Control-Request-Method", "POST")
        .header("Access-Control-Request-Headers", "svc-api-key,content-type")
        .send();
  }
}
