package io.tokenvault.adapters.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.tokenvault.domain.json.JsonValue.JsonObject;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Query parameters that nobody reads, and ones that are given more often than they are read. */
final class UnknownParametersTest {

  private static final TestServer SERVER = TestServer.shared();
  private static final String TOKEN_KEY = SERVER.tokenKey();
  private static final String ID = "00000000-0000-0000-0000-000000000000";

  private static final List<String> ENDPOINTS =
      List.of(
          "GET /permissions",
          "HEAD /permissions",
          "GET /applications",
          "POST /applications",
          "GET /applications/key",
          "GET /applications/" + ID,
          "PUT /applications/" + ID,
          "DELETE /applications/" + ID,
          "POST /applications/" + ID + "/regenerate",
          "GET /proxies",
          "POST /proxies",
          "GET /proxies/" + ID,
          "PUT /proxies/" + ID,
          "DELETE /proxies/" + ID,
          "POST /proxies/" + ID + "/test",
          "POST /access/explain",
          "GET /logs",
          "HEAD /logs",
          "GET /logs/entity-types",
          "GET /tenants/self",
          "GET /healthz",
          "GET /readyz",
          "GET /openapi.json");

  private static final List<String> TOKEN_ENDPOINTS =
      List.of(
          "GET /tokens",
          "POST /tokens",
          "POST /tokens/search",
          "GET /tokens/x",
          "PATCH /tokens/x",
          "DELETE /tokens/x",
          "POST /tokenize",
          "POST /detokenize");

  private static RawReply ask(String endpoint, String query, String key) {
    return SERVER.sendJson(key, endpoint + "?" + query, "application/json", "{}");
  }

  private static RawReply ask(String endpoint, String query) {
    return ask(endpoint, query, SERVER.key());
  }

  private static JsonObject errors(RawReply reply) {
    return (JsonObject) reply.isProblem(400, "validation-failed").json().members().get("errors");
  }

  @TestFactory
  Stream<DynamicTest> everyEndpointRejectsThemByName() {
    return Stream.concat(
        ENDPOINTS.stream().map(each -> refusing(each, SERVER.key())),
        TOKEN_ENDPOINTS.stream().map(each -> refusing(each, TOKEN_KEY)));
  }

  private static DynamicTest refusing(String endpoint, String key) {
    return dynamicTest(
        endpoint,
        () -> {
          RawReply reply = ask(endpoint, "n%C3%B3body=secret&Page=1", key);
          assertThat(reply.status()).isEqualTo(400);
          if (!endpoint.startsWith("HEAD")) {
            assertThat(errors(reply).members()).containsOnlyKeys("n\u00f3body", "Page");
            assertThat(reply.body()).doesNotContain("secret");
          }
        });
  }

  @Test
  void errorListsKnownParameters() {
    assertThat(ask("GET /logs", "actor=x").body())
        .contains(
            "is not a known parameter; there are actor_id, end_date, entity_id, entity_type,"
                + " operation, page, size, start, start_date");
    assertThat(ask("GET /permissions", "type=x").body())
        .contains("is not a known parameter; there is application_type");
    assertThat(ask("GET /applications/key", "x").body())
        .contains("is not a known parameter; there are none");
    assertThat(ask("GET /tokens", "metadata=x", TOKEN_KEY).body())
        .contains("there are container, id, metadata.*, page, size, type");
  }

  @Test
  void longNameIsShortened() {
    assertThat(errors(ask("GET /logs", "x".repeat(5_000) + "=1")).members().keySet())
        .allMatch(name -> name.length() < 300);
  }

  @Test
  void unauthorizedCallersReceiveNoParameterErrors() {
    ask("GET /logs", "nobody=1", "none").isProblem(401, "unauthenticated");
    ask("GET /tokens", "nobody=1").isProblem(403, "forbidden");
  }

  @Test
  void repeatedSingleParameterIsRejected() {
    for (String parameter :
        List.of("page", "size", "start", "entity_type", "entity_id", "actor_id", "operation")) {
      assertThat(errors(ask("GET /logs", parameter + "=1&" + parameter + "=1")).members())
          .containsKey(parameter);
    }
    assertThat(errors(ask("GET /permissions", "application_type=public&application_type=public")))
        .isNotNull();
  }

  @Test
  void proxyForwardsThem() {
    RecordingProxy proxy = SERVER.use(new RecordingProxy());

    ask("POST /proxy", "nobody=1&nobody=2");

    assertThat(proxy.take().query()).hasValue("nobody=1&nobody=2");
  }

  @Test
  void logFiltersAreValidated() {
    assertThat(ask("GET /logs", "actor_id=nobody").body())
        .contains("\"actor_id\":[\"must be a UUID\"]");
    for (String wrong : List.of("", "READ", "unknown", "write")) {
      assertThat(ask("GET /logs", "operation=" + wrong).isProblem(400, "validation-failed").body())
          .contains("must be one of create, read, update, delete, use, invoke, regenerate, search");
    }
  }
}
