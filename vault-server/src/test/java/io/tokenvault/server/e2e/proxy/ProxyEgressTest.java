package io.tokenvault.server.e2e.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.e2e.fixture.Eventually;
import io.tokenvault.server.e2e.fixture.HttpsDestination;
import io.tokenvault.server.e2e.fixture.ProxyFixture;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.Wire;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import mockwebserver3.MockResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What the operator's settings do to proxy invocations: on further nodes of the same vault. */
@Execution(ExecutionMode.CONCURRENT)
final class ProxyEgressTest {

  private static final List<String> NOT_PUBLIC =
      List.of(
          "0.0.0.0",
          "10.0.0.1",
          "100.64.0.1",
          "127.0.0.1",
          "127.255.255.254",
          "169.254.169.254",
          "172.16.0.1",
          "172.31.255.255",
          "192.0.0.8",
          "192.168.0.1",
          "198.18.0.1",
          "224.0.0.1",
          "240.0.0.1",
          "255.255.255.255",
          "::",
          "::1",
          "::ffff:10.0.0.1",
          "64:ff9b::7f00:1",
          "2002:7f00:1::",
          "fc00::1",
          "fd12:3456::1",
          "fe80::1",
          "ff02::1");

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final ProxyFixture fixture = new ProxyFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  private Response send(RunningVault.Node node, String url) {
    return node.call("POST", "/proxy")
        .key(fixture.caller.key())
        .header("SVC-PROXY-URL", url)
        .json("{}")
        .send();
  }

  @Test
  void namesOfAddressesThatAreNotPublicAreRefused() {
    List<String> overrides = new ArrayList<>();
    for (int i = 0; i < NOT_PUBLIC.size(); i++) {
      overrides.add("n" + i + ".test=" + NOT_PUBLIC.get(i));
    }
    overrides.add("mixed.test=93.184.215.14");
    overrides.add("mixed.test=127.0.0.1");
    try (RunningVault.Node node =
        fixture.vault.node(Map.of("VAULT_EGRESS_HOST_OVERRIDES", String.join(",", overrides)))) {
      for (int i = 0; i < NOT_PUBLIC.size(); i++) {
        String url = "https://n" + i + ".test:" + fixture.destination.port();
        JsonNode problem = fixture.refused(send(node, url), 502, "dns-failed");
        assertThat(problem.path("detail").asText()).doesNotContain(NOT_PUBLIC.get(i));
      }
      String mixed = fixture.destination.url("mixed.test");
      fixture.refusedBeforeAnythingLeft(send(node, mixed), 502, "dns-failed");
    }
  }

  @Test
  void onlyAllowedHostsAreReachedByUrlAndByProxy() {
    JsonNode proxy = fixture.tenant.proxy(fixture.destination.url(HttpsDestination.OTHER_HOST));
    try (RunningVault.Node node =
        fixture.vault.node(Map.of("VAULT_EGRESS_ALLOWED_HOSTS", "payments.test"))) {
      send(node, fixture.destination.url()).expect(200);
      String other = fixture.destination.url(HttpsDestination.OTHER_HOST);
      fixture.refused(send(node, other), 400, "destination-invalid");
      Response byProxy =
          node.call("POST", "/proxy")
              .key(fixture.caller.key())
              .header("SVC-PROXY-KEY", proxy.path("key").asText())
              .send();
      fixture.refused(byProxy, 400, "destination-invalid");
      assertThat(fixture.destination.count()).isEqualTo(1);
    }
  }

  @Test
  void allHostsUnderANameCanBeAllowed() {
    try (RunningVault.Node node =
        fixture.vault.node(Map.of("VAULT_EGRESS_ALLOWED_HOSTS", "*.test"))) {
      send(node, fixture.destination.url()).expect(200);
      fixture.refused(send(node, "https://example.com"), 400, "destination-invalid");
    }
  }

  @Test
  void aLocalNameCanBeAllowedByName() {
    try (RunningVault.Node node =
        fixture.vault.node(
            Map.of(
                "VAULT_EGRESS_PRIVATE_HOSTS", "localhost",
                "VAULT_EGRESS_HOST_OVERRIDES", "localhost=127.0.0.1"))) {
      String url = fixture.destination.url("localhost");
      fixture.refused(send(node, url), 502, "tls-failed");
    }
  }

  @Test
  void withoutTheOperatorsAuthorityNobodyIsTrusted() {
    try (RunningVault.Node node = fixture.vault.node(Map.of("VAULT_EGRESS_CA_FILE", ""))) {
      fixture.refusedBeforeAnythingLeft(send(node, fixture.destination.url()), 502, "tls-failed");
    }
  }

  @Test
  void aSlowDestinationIsAGatewayTimeout() {
    fixture.destination.answer(
        new MockResponse.Builder().headersDelay(30, TimeUnit.SECONDS).body("late").build());
    try (RunningVault.Node node =
        fixture.vault.node(Map.of("VAULT_PROXY_ANSWER_TIMEOUT_MS", "200"))) {
      fixture.refused(send(node, fixture.destination.url()), 504, "answer-timeout");
      // None, if the limit was over before the destination had got round to reading it.
      assertThat(fixture.destination.count()).isLessThanOrEqualTo(1);
    }
  }

  @Test
  void anAnswerThatPausesTooLongBreaksOff() {
    fixture.destination.answer(
        new MockResponse.Builder()
            .body("x".repeat(100_000))
            .throttleBody(1000, 5, TimeUnit.SECONDS)
            .build());
    try (RunningVault.Node node =
        fixture.vault.node(Map.of("VAULT_PROXY_IDLE_TIMEOUT_MS", "200"))) {
      assertThatThrownBy(() -> send(node, fixture.destination.url()))
          .isInstanceOf(UncheckedIOException.class);
    }
  }

  @Test
  void theLimitOfHeldBodiesCanBeSet() {
    String token = fixture.token("secret");
    try (RunningVault.Node node =
        fixture.vault.node(Map.of("VAULT_PROXY_HELD_BODY_BYTES", "1000"))) {
      String fits = "{{" + token + "}}";
      text(node, fits).expect(200);
      assertThat(fixture.receivedBody()).isEqualTo("secret");
      text(node, "x".repeat(3000)).expect(200);
      assertThat(fixture.receivedBody()).isEqualTo("x".repeat(3000));
      fixture.refused(text(node, fits + "x".repeat(3000)), 413, "body-too-large");
      fixture.refused(text(node, "x".repeat(3000) + fits), 413, "body-too-large");
    }
  }

  private Response text(RunningVault.Node node, String body) {
    return node.call("POST", "/proxy")
        .key(fixture.caller.key())
        .header("SVC-PROXY-URL", fixture.destination.url())
        .body("text/plain", body)
        .send();
  }

  @Test
  void heldBodiesShareABudget() {
    String body = "x".repeat(180_000);
    Map<String, String> settings =
        Map.of("VAULT_PROXY_HELD_BODY_BYTES", "200000", "VAULT_PROXY_HELD_BODIES_BYTES", "200000");
    try (RunningVault.Node node = fixture.vault.node(settings)) {
      Response response =
          Eventually.get(
              "a refusal while another body is held", PATIENCE, () -> refusalWhileHeld(node, body));
      fixture.refused(response, 503, "overloaded");
      assertThat(response.header("Retry-After")).isPresent();
      text(node, body).expect(200);
    }
  }

  /** Empty if it was not the first body that took the budget, but none, or one sent before. */
  private Optional<Response> refusalWhileHeld(RunningVault.Node node, String body) {
    try (Wire holding = new Wire(node.port(), head(body.length()))) {
      holding.send(body.substring(1));
      Response response = text(node, body);
      if (response.status() == 200) {
        return Optional.empty();
      }
      return holding.send("x").answer().status() == 200 ? Optional.of(response) : Optional.empty();
    } catch (UncheckedIOException refusedAsWell) {
      return Optional.empty();
    }
  }

  private String[] head(int length) {
    return new String[] {
      "POST /proxy HTTP/1.1",
      "Host: vault.test",
      "SVC-API-KEY: " + fixture.caller.key(),
      "SVC-PROXY-URL: " + fixture.destination.url(),
      "Content-Type: text/plain",
      "Content-Length: " + length
    };
  }

  @Test
  void theServicesNamesFollowThePrefix() {
    JsonNode proxy = fixture.proxy();
    try (RunningVault.Node node = fixture.vault.node(Map.of("VAULT_HEADER_PREFIX", "ACME-"))) {
      Response response =
          node.call("POST", "/proxy/x?acme-proxy-key=" + proxy.path("key").asText())
              .header("ACME-API-KEY", fixture.caller.key())
              .header("SVC-API-KEY", "somebody else's")
              .send()
              .expect(200);
      assertThat(response.header("ACME-PROXY-DESTINATION-STATUS")).contains("200");
      assertThat(response.header("ACME-TRACE-ID")).isPresent();
      var received = fixture.destination.received();
      assertThat(received.getTarget()).isEqualTo("/x");
      assertThat(received.getHeaders().get("SVC-API-KEY")).isEqualTo("somebody else's");
    }
  }
}
