package io.tokenvault.server.e2e.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Eventually;
import io.tokenvault.server.e2e.fixture.HttpsDestination;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.ProxyFixture;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import mockwebserver3.MockResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the log says about proxy invocations, allowed and refused (decisions.md section 8). */
final class ProxyAuditTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final ProxyFixture fixture = new ProxyFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  private Stream<JsonNode> log() {
    return StreamSupport.stream(fixture.tenant.log().spliterator(), false);
  }

  private List<JsonNode> entries(String operation, String entityId) {
    return log()
        .filter(entry -> entry.path("operation").asText().equals(operation))
        .filter(entry -> entry.path("entity_id").asText().equals(entityId))
        .toList();
  }

  /** The second entry is written after the answer, so it may take a moment. */
  private JsonNode awaitEntry(Predicate<JsonNode> wanted) {
    return Eventually.get("such an entry", PATIENCE, () -> log().filter(wanted).findFirst());
  }

  private static boolean isEnd(JsonNode entry) {
    return entry.path("message").asText().startsWith("Proxy invocation ended");
  }

  @Test
  void invocationIsRecordedBeforeAndAfter() {
    JsonNode proxy = fixture.proxy();
    String id = proxy.path("id").asText();
    fixture.destination.answer(new MockResponse.Builder().code(418).build());
    fixture
        .caller
        .call("POST", "/proxy")
        .header("SVC-PROXY-KEY", proxy.path("key").asText())
        .send()
        .expect(418);
    JsonNode end = awaitEntry(ProxyAuditTest::isEnd);
    assertThat(end.path("message").asText()).contains("418");
    assertThat(end.path("entity_id").asText()).isEqualTo(id);
    assertThat(entries("invoke", id)).hasSize(2);
    JsonNode begin = entries("invoke", id).get(1);
    assertThat(begin.path("message").asText()).isEqualTo("Proxy invoked");
    assertThat(begin.path("entity_type").asText()).isEqualTo("proxy");
    assertThat(begin.path("actor_type").asText()).isEqualTo("application");
    assertThat(begin.path("actor_id").asText()).isEqualTo(fixture.caller.id());
  }

  @Test
  void firstEntryIsRecordedBeforeRequestArrives() {
    AtomicReference<List<JsonNode>> seen = new AtomicReference<>();
    String token = fixture.token("secret");
    fixture.destination.answer(
        request -> {
          seen.set(log().toList());
          return new MockResponse.Builder().build();
        });
    fixture.post().json("[\"{{" + token + "}}\"]").send().expect(200);
    assertThat(seen.get())
        .extracting(each -> each.path("message").asText())
        .contains("Proxy invoked", "Token used");
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
    assertThat(entries("use", token)).hasSize(1);
    JsonNode use = entries("use", token).get(0);
    assertThat(use.path("entity_type").asText()).isEqualTo("token");
    assertThat(use.path("message").asText()).isEqualTo("Token used");
    assertThat(use.path("actor_id").asText()).isEqualTo(fixture.caller.id());
    assertThat(entries("use", card))
        .extracting(each -> each.path("entity_type").asText())
        .containsExactly("card_number");
  }

  @Test
  void anonymousInvocationHasNoActor() {
    JsonNode proxy = fixture.anonymousProxy();
    fixture
        .vault
        .call("POST", "/proxy")
        .header("SVC-PROXY-KEY", proxy.path("key").asText())
        .send()
        .expect(200);
    JsonNode entry = awaitEntry(ProxyAuditTest::isEnd);
    assertThat(entry.has("actor_id")).isFalse();
    assertThat(entry.path("entity_id").asText()).isEqualTo(proxy.path("id").asText());
  }

  @Test
  void deniedInvocationIsRecorded() {
    Client useless = fixture.tenant.application("private", "token:create");
    JsonNode proxy = fixture.proxy();
    useless
        .call("POST", "/proxy")
        .header("SVC-PROXY-KEY", proxy.path("key").asText())
        .send()
        .expect(403);
    List<JsonNode> entries = entries("invoke", proxy.path("id").asText());
    assertThat(entries).hasSize(1);
    assertThat(entries.get(0).path("message").asText()).endsWith("denied");
    assertThat(entries.get(0).path("actor_id").asText()).isEqualTo(useless.id());
    fixture.call(useless, "POST", "").send().expect(403);
    assertThat(entries("invoke", useless.id())).hasSize(1);
  }

  @Test
  void tokensThatWereRefusedAreRecordedAndNoUseIs() {
    Client restricted = fixture.tenant.ruled(TenantFixture.rule(1, "/pci/", "reveal", "token:use"));
    String forbidden = fixture.tenant.owner().token("secret", "/pii/");
    String allowed = fixture.tenant.owner().token("secret", "/pci/");
    fixture
        .call(restricted, "POST", "")
        .json("[\"{{" + forbidden + "}}\",\"{{" + allowed + "}}\"]")
        .send()
        .expect(403);
    assertThat(entries("use", forbidden))
        .extracting(each -> each.path("message").asText())
        .containsExactly("Token use denied");
    assertThat(entries("use", allowed)).isEmpty();
    assertThat(entries("invoke", HttpsDestination.HOST))
        .extracting(each -> each.path("message").asText())
        .containsExactly("Proxy invocation denied");
  }

  @Test
  void endOfInvocationFailedAtDestinationIsRecorded() {
    fixture
        .caller
        .call("POST", "/proxy")
        .header("SVC-PROXY-URL", fixture.destination.url(HttpsDestination.UNNAMED_HOST))
        .send()
        .expect(502);
    JsonNode end = awaitEntry(ProxyAuditTest::isEnd);
    assertThat(end.path("entity_id").asText()).isEqualTo(HttpsDestination.UNNAMED_HOST);
    assertThat(entries("invoke", HttpsDestination.UNNAMED_HOST)).hasSize(2);
  }
}
