package io.tokenvault.server.e2e.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.e2e.fixture.Eventually;
import io.tokenvault.server.e2e.fixture.ProxyFixture;
import io.tokenvault.server.e2e.fixture.RawDestination;
import io.tokenvault.server.e2e.fixture.RawRequest;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** When a caller disconnects, a failed read or write or a timeout ends the outgoing request. */
@Execution(ExecutionMode.CONCURRENT)
final class ProxyDisconnectTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  @AutoClose private final ProxyFixture fixture = new ProxyFixture();
  @AutoClose private final RawDestination destination = new RawDestination();

  private RawRequest sendHead(int port, String method, String... headers) {
    return fixture.sendHead(port, method + " /proxy HTTP/1.1", destination.url(), headers);
  }

  private RawRequest sendPost(int port, String body) {
    String length = "Content-Length: " + body.length();
    return sendHead(port, "POST", "Content-Type: application/json", length).send(body);
  }

  /** Waits for the second audit entry, which is written after the end. */
  private String awaitEnd() {
    return Eventually.get(
        "the end of the invocation in the log",
        TIMEOUT,
        () ->
            fixture.tenant.messages().stream()
                .filter(text -> text.startsWith("Proxy invocation ended"))
                .findFirst());
  }

  @Test
  void disconnectWhileBodyIsSentEndsExchange() {
    String[] headers = {"Transfer-Encoding: chunked", "Content-Type: application/octet-stream"};
    String sent = "5\r\nhello\r\n";
    RawDestination.Exchange exchange;
    try (RawRequest caller = sendHead(fixture.vault.port(), "POST", headers)) {
      caller.send(sent);
      exchange = destination.takeRequest();
      assertThat(exchange.read(sent.length())).asString().isEqualTo(sent);
    }
    assertThat(exchange.readToEnd()).isEmpty();
    assertThat(awaitEnd()).doesNotContain("answered");
  }

  @Test
  void failedWriteEndsExchange() throws InterruptedException {
    RawDestination.Exchange exchange;
    try (RawRequest caller = sendHead(fixture.vault.port(), "GET")) {
      exchange = destination.takeRequest();
      exchange.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
      caller.readHead().expect(200);
      assertThat(caller.readSome()).contains("hello");
    }
    // The caller's system answers the first write with a reset; the next one fails.
    for (int i = 0; i < 3; i++) {
      exchange.send("5\r\nagain\r\n");
      Thread.sleep(200);
    }
    assertThat(exchange.readToEnd()).isEmpty();
    assertThat(awaitEnd()).endsWith("status 200, cut short");
  }

  @Test
  void silentDestinationTimesOutAndReservationIsReleased() {
    String token = fixture.token("secret");
    String body = "[\"{{" + token + "}}\",\"" + "x".repeat(110_000) + "\"]";
    Map<String, String> settings =
        Map.of(
            "VAULT_PROXY_HELD_BODY_BYTES", "200000",
            "VAULT_PROXY_HELD_BODIES_BYTES", "200000",
            "VAULT_PROXY_ANSWER_TIMEOUT_MS", "4000");
    try (RunningVault.Node node = fixture.vault.node(settings)) {
      RawDestination.Exchange exchange;
      try (RawRequest caller = sendPost(node.port(), body)) {
        exchange = destination.takeRequest();
        try (RawRequest second = sendPost(node.port(), body)) {
          Response refused = second.readResponse();
          fixture.expectError(refused, 503, "overloaded");
          assertThat(refused.header("Retry-After")).isPresent();
        }
        assertThat(caller).isNotNull();
      }
      assertThat(exchange.readToEnd()).contains("secret");
      assertThat(awaitEnd()).doesNotContain("answered");
      assertThat(destination.count()).isEqualTo(1);
      Eventually.holds("the memory is released", TIMEOUT, () -> isForwarded(node, body));
    }
  }

  private boolean isForwarded(RunningVault.Node node, String body) {
    return fixture.byUrl(node).json(body).send().status() == 200;
  }
}
