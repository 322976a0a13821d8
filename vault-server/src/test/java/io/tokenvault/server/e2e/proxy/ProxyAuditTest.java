package io.tokenvault.server.e2e.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Eventually;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.ProxyFixture;
import java.time.Duration;
import java.util.List;
import mockwebserver3.MockResponse;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Audit entries about proxy invocations, allowed and denied. */
final class ProxyAuditTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  @AutoClose private final ProxyFixture fixture = new ProxyFixture();

  private JsonNode auditEntries(String operation, String entityId) {
    return fixture.tenant.log("operation=" + operation + "&entity_id=" + entityId);
  }

  /** Waits for the second entry of an invocation, which is written after the response. */
  private JsonNode awaitEnd(String entityId) {
    Eventually.holds(
        "the end is recorded", TIMEOUT, () -> auditEntries("invoke", entityId).size() == 2);
    JsonNode end = auditEntries("invoke", entityId).get(0);
    assertThat(end.path("message").asText()).startsWith("Proxy invocation ended");
    return end;
  }

  @Test
  void invocationIsRecordedBeforeAndAfter() {
    JsonNode proxy = fixture.proxy();
    String id = proxy.path("id").asText();
    fixture.destination.respond(new MockResponse.Builder().code(418).build());
    fixture.caller.call("POST", "/proxy").through(proxy).send().expect(418);
    assertThat(awaitEnd(id).path("message").asText()).contains("418");
    JsonNode begin = auditEntries("invoke", id).get(1);
    assertThat(Json.properties(begin, "message", "entity_type", "actor_type", "actor_id"))
        .containsExactly("Proxy invoked", "proxy", "application", fixture.caller.id());
  }

  @Test
  void tokenUseIsRecordedOncePerRequest() {
    String token = fixture.token("secret");
    String card =
        fixture.caller.token(Json.object("type", "card_number", "data", "4242424242424242"));
    fixture
        .post()
        .header("X-Again", "{{" + token + "}}")
        .json("[\"{{" + token + "}}\",\"{{" + token + "}}\",\"{{" + card + "}}\"]")
        .send()
        .expect(200);
    assertThat(auditEntries("use", token))
        .extracting(use -> Json.properties(use, "entity_type", "message", "actor_id"))
        .containsExactly(List.of("token", "Token used", fixture.caller.id()));
    assertThat(Json.each(auditEntries("use", card), "entity_type")).containsExactly("card_number");
  }

  @Test
  void anonymousInvocationHasNoActor() {
    JsonNode proxy = fixture.anonymousProxy();
    fixture.vault.call("POST", "/proxy").through(proxy).send().expect(200);
    assertThat(awaitEnd(proxy.path("id").asText()).has("actor_id")).isFalse();
  }

  @Test
  void deniedInvocationIsRecorded() {
    Client creator = fixture.tenant.application("private", "token:create");
    JsonNode proxy = fixture.proxy();
    creator.call("POST", "/proxy").through(proxy).send().expect(403);
    assertThat(auditEntries("invoke", proxy.path("id").asText()))
        .extracting(entry -> Json.properties(entry, "message", "actor_id"))
        .containsExactly(List.of("Proxy invocation denied", creator.id()));
    fixture.call(creator, "POST", "").send().expect(403);
    assertThat(auditEntries("invoke", creator.id())).hasSize(1);
  }
}
