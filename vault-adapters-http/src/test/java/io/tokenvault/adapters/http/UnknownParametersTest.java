package io.tokenvault.adapters.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.json.JsonValue.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests unknown query parameters, and repeated ones that may be given only once. */
final class UnknownParametersTest {

  private static final TestServer SERVER = TestServer.shared();
  private static final String TOKEN_KEY = SERVER.tokenKey();

  private static RawResponse send(String endpoint, String query, String key) {
    return SERVER.sendJson(key, endpoint + "?" + query, "application/json", "{}");
  }

  private static RawResponse send(String endpoint, String query) {
    return send(endpoint, query, SERVER.managementKey());
  }

  private static JsonObject errors(RawResponse response) {
    return (JsonObject)
        response.isProblem(400, "validation-failed").json().properties().get("errors");
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET /healthz", "GET /readyz", "GET /openapi.json"})
  void publicEndpointsRejectUnknownParameters(String endpoint) {
    assertThat(errors(send(endpoint, "Page=1")).properties()).containsOnlyKeys("Page");
  }

  @Test
  void errorListsKnownParameters() {
    assertThat(send("GET /logs", "actor=x").body())
        .contains(
            "is not a known parameter; there are actor_id, end_date, entity_id, entity_type,"
                + " operation, page, size, start, start_date");
    assertThat(send("GET /permissions", "type=x").body())
        .contains("is not a known parameter; there is application_type");
    assertThat(send("GET /applications/key", "x").body())
        .contains("is not a known parameter; there are none");
    assertThat(send("GET /tokens", "metadata=x", TOKEN_KEY).body())
        .contains("there are container, id, metadata.*, page, size, type");
  }

  @Test
  void longNameIsShortened() {
    assertThat(errors(send("GET /logs", "x".repeat(5_000) + "=1")).properties().keySet())
        .allMatch(name -> name.length() < 300);
  }

  @Test
  void unauthorizedCallersReceiveNoParameterErrors() {
    send("GET /logs", "nobody=1", "none").isProblem(401, "unauthenticated");
    send("GET /tokens", "nobody=1").isProblem(403, "forbidden");
  }

  @Test
  void repeatedSingleParameterIsRejected() {
    for (String parameter :
        List.of("page", "size", "start", "entity_type", "entity_id", "actor_id", "operation")) {
      assertThat(errors(send("GET /logs", parameter + "=1&" + parameter + "=1")).properties())
          .containsKey(parameter);
    }
    assertThat(errors(send("GET /permissions", "application_type=public&application_type=public")))
        .isNotNull();
  }

  @Test
  void proxyForwardsUnknownParameters() {
    RecordingProxy proxy = SERVER.useProxy(new RecordingProxy());

    send("POST /proxy", "nobody=1&nobody=2");

    assertThat(proxy.takeCall().query()).hasValue("nobody=1&nobody=2");
  }

  @Test
  void logFiltersAreValidated() {
    assertThat(send("GET /logs", "actor_id=nobody").body())
        .contains("\"actor_id\":[\"must be a UUID\"]");
    for (String wrong : List.of("", "READ", "unknown", "write")) {
      assertThat(send("GET /logs", "operation=" + wrong).isProblem(400, "validation-failed").body())
          .contains("must be one of create, read, update, delete, use, invoke, regenerate, search");
    }
  }
}
