package io.tokenvault.server.e2e.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.e2e.fixture.Eventually;
import io.tokenvault.server.e2e.fixture.ProxyFixture;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.Wire;
import io.tokenvault.server.e2e.fixture.WireDestination;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** When a caller disconnects, a failed read or write or a timeout ends the outgoing request. */
@Execution(ExecutionMode.CONCURRENT)
final class ProxyDisconnectTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @AutoClose private final ProxyFixture fixture = new ProxyFixture();
  @AutoClose private final WireDestination destination = new WireDestination();

  private Wire wire(int port, String method, String... headers) {
    return fixture.wire(port, method + " /proxy HTTP/1.1", destination.url(), headers);
  }

  private Wire posting(int port, String body) {
    String length = "Content-Length: " + body.length();
    return wire(port, "POST", "Content-Type: application/json", length).send(body);
  }

  /** Waits for the second audit entry, which is written after the end. */
  private String awaitEnd() {
    return Eventually.get(
        "the end of the invocation in the log",
        PATIENCE,
        () ->
            fixture.tenant.messages().stream()
                .filter(text -> text.startsWith("Proxy invocation ended"))
                .findFirst());
  }

  @Test
  void whileItsBodyIsBeingSent() {
    String[] headers = {"Transfer-Encoding: chunked", "Content-Type: application/octet-stream"};
    String sent = "5\r\nhello\r\n";
    WireDestination.Exchange exchange;
    try (Wire caller = wire(fixture.vault.port(), "POST", headers)) {
      caller.send(sent);
      exchange = destination.take();
      assertThat(exchange.read(sent.length())).asString().isEqualTo(sent);
    }
    assertThat(exchange.untilItEnds()).isEmpty();
    assertThat(awaitEnd()).doesNotContain("answered");
  }

  @Test
  void failedWriteEndsTheExchange() throws InterruptedException {
    WireDestination.Exchange exchange;
    try (Wire caller = wire(fixture.vault.port(), "GET")) {
      exchange = destination.take();
      exchange.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
      caller.head().expect(200);
      assertThat(caller.more()).contains("hello");
    }
    // The write fails that follows the one to which the caller's system responds with a reset.
    for (int i = 0; i < 3; i++) {
      exchange.send("5\r\nagain\r\n");
      Thread.sleep(200);
    }
    assertThat(exchange.untilItEnds()).isEmpty();
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
      WireDestination.Exchange exchange;
      try (Wire caller = posting(node.port(), body)) {
        exchange = destination.take();
        try (Wire second = posting(node.port(), body)) {
          Response refused = second.answer();
          fixture.refused(refused, 503, "overloaded");
          assertThat(refused.header("Retry-After")).isPresent();
        }
        assertThat(caller).isNotNull();
      }
      assertThat(exchange.untilItEnds()).contains("secret");
      assertThat(awaitEnd()).doesNotContain("answered");
      assertThat(destination.count()).isEqualTo(1);
      Eventually.holds("the memory is released", PATIENCE, () -> isForwarded(node, body));
    }
  }

  private boolean isForwarded(RunningVault.Node node, String body) {
    return fixture.byUrl(node).json(body).send().status() == 200;
  }
}
