package io.tokenvault.server.e2e.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.e2e.fixture.Call;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.RawRequest;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import io.tokenvault.server.e2e.guarantee.Endpoint;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Conventions of all endpoints: trace ids, content types, query parameters, pages, origins. */
class HttpConventionsTest {

  private static final RunningVault VAULT = RunningVault.shared();
  private static final String BODY = TenantFixture.draft("private", "token:read").toString();

  private final TenantFixture tenant = VAULT.newTenant();
  private final Client management = tenant.management();

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
  void invalidTraceIdIsReplaced() {
    String tooLong = "t".repeat(101);

    String replaced = traced("/permissions", tooLong).header("SVC-TRACE-ID").orElseThrow();
    String other = traced("/permissions", tooLong).header("SVC-TRACE-ID").orElseThrow();

    assertThat(List.of(tooLong, replaced, other)).doesNotHaveDuplicates();
    assertThat(replaced).matches("[!-~]{1,100}");
    for (String bad : List.of("", "caf\u00e9", "a\tb")) {
      assertThat(
              RawRequest.exchange(VAULT.port(), "GET /healthz HTTP/1.1", "SVC-TRACE-ID: " + bad)
                  .header("SVC-TRACE-ID"))
          .hasValueSatisfying(id -> assertThat(id).matches("[!-~]{1,100}").isNotEqualTo(bad));
    }
  }

  private Response traced(String path, String trace) {
    return management.call("GET", path).header("SVC-TRACE-ID", trace).send();
  }

  @Test
  void untypedBodyIsJsonAndEmptyBodyIsNever415() {
    management.call("POST", "/applications").untypedBody(BODY.getBytes(UTF_8)).send().expect(201);
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

  static Stream<Endpoint> apiEndpoints() {
    return Endpoint.ALL.stream().filter(each -> !each.isProxy());
  }

  @ParameterizedTest
  @MethodSource("apiEndpoints")
  void unknownQueryParametersAreRejectedByName(Endpoint endpoint) {
    Client client = endpoint.concernsTokens() ? tenant.owner() : management;

    Response refused = endpoint.call("?n%C3%B3body=secret&Page=1").key(client.key()).send();

    assertThat(refused.expectErrorsAt("n\u00f3body", "Page").text()).doesNotContain("secret");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/applications", "/proxies", "/tokens", "/logs"})
  void pagePastTheEndIsEmpty(String list) {
    Client client = list.equals("/tokens") ? tenant.owner() : management;

    Response past = client.get(list + "?page=2147483647&size=100").expect(200);

    assertThat(past.get("data")).isEmpty();
  }

  @Test
  void configuredHeaderPrefixReplacesDefault() {
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
  void configuredOriginsMayUseTokensOnly() {
    String origin = "https://shop.example.com";
    try (var node = VAULT.node(Map.of("VAULT_CORS_ALLOWED_ORIGINS", origin))) {
      assertThat(allowedOrigin(node.call("OPTIONS", "/tokens"), origin)).hasValue(origin);
      assertThat(allowedOrigin(node.call("OPTIONS", "/tokens"), "https://evil.test")).isEmpty();
      assertThat(allowedOrigin(node.call("OPTIONS", "/applications"), origin)).isEmpty();
    }
  }

  private static Optional<String> allowedOrigin(Call call, String origin) {
    return call.header("Origin", origin)
        .header("Access-Control-Request-Method", "POST")
        .send()
        .header("Access-Control-Allow-Origin");
  }
}
