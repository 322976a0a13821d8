package io.tokenvault.server.e2e.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.e2e.fixture.HttpsDestination;
import io.tokenvault.server.e2e.fixture.ProxyFixture;
import io.tokenvault.server.e2e.fixture.RawDestination;
import io.tokenvault.server.e2e.fixture.RawRequest;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import mockwebserver3.MockResponse;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Settings that restrict proxy invocations, each on a separate node. */
@Execution(ExecutionMode.CONCURRENT)
final class ProxyEgressTest {

  @AutoClose private final ProxyFixture fixture = new ProxyFixture();

  private Response send(RunningVault.Node node, String url) {
    return fixture.byUrl(node, url).json("{}").send();
  }

  @Test
  void onlyAllowedHostsAreReachedByUrlAndProxy() {
    JsonNode proxy = fixture.tenant.proxy(fixture.destination.url(HttpsDestination.OTHER_HOST));
    try (RunningVault.Node node =
        fixture.vault.node(Map.of("VAULT_EGRESS_ALLOWED_HOSTS", "payments.test"))) {
      send(node, fixture.destination.url()).expect(200);
      String other = fixture.destination.url(HttpsDestination.OTHER_HOST);
      fixture.expectError(send(node, other), 400, "destination-invalid");
      fixture.expectError(fixture.through(node, proxy).send(), 400, "destination-invalid");
      assertThat(fixture.destination.count()).isEqualTo(1);
    }
  }

  @Test
  void destinationIsUntrustedWithoutConfiguredAuthority() {
    try (RunningVault.Node node = fixture.vault.node(Map.of("VAULT_EGRESS_CA_FILE", ""))) {
      fixture.expectErrorBeforeSending(send(node, fixture.destination.url()), 502, "tls-failed");
    }
  }

  @Test
  void responsePausingTooLongIsAborted() {
    fixture.destination.respond(
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
  void requestOverLimitOfItsDestinationIsRefused() {
    try (RunningVault.Node node =
            fixture.vault.node(Map.of("VAULT_PROXY_DESTINATION_REQUESTS", "1"));
        RawDestination destination = new RawDestination();
        RawRequest caller =
            fixture.sendHead(node.port(), "GET /proxy HTTP/1.1", destination.url())) {
      RawDestination.Exchange running = destination.takeRequest();
      fixture.expectError(send(node, destination.url()), 503, "overloaded");
      running.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
      assertThat(caller.readResponse().expect(200).text()).isEqualTo("ok");
    }
  }

  @Test
  void bufferedBodyLimitIsConfigurable() {
    String token = fixture.token("secret");
    try (RunningVault.Node node =
        fixture.vault.node(Map.of("VAULT_PROXY_HELD_BODY_BYTES", "1000"))) {
      String fits = "{{" + token + "}}";
      sendText(node, fits).expect(200);
      assertThat(fixture.receivedBody()).isEqualTo("secret");
      sendText(node, "x".repeat(3000)).expect(200);
      assertThat(fixture.receivedBody()).isEqualTo("x".repeat(3000));
      fixture.expectError(sendText(node, fits + "x".repeat(3000)), 413, "body-too-large");
      fixture.expectError(sendText(node, "x".repeat(3000) + fits), 413, "body-too-large");
    }
  }

  private Response sendText(RunningVault.Node node, String body) {
    return fixture.byUrl(node).body("text/plain", body).send();
  }
}
