package io.tokenvault.server.e2e.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.e2e.fixture.ProxyFixture;
import io.tokenvault.server.e2e.fixture.RawConnection.ReceivedBytes;
import io.tokenvault.server.e2e.fixture.RawDestination;
import io.tokenvault.server.e2e.fixture.RawRequest;
import java.util.List;
import mockwebserver3.MockResponse;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Requests and responses are forwarded unchanged and without delay. The test acts as the caller and
 * as the destination, byte by byte.
 */
final class ProxyTransparencyTest {

  @RegisterExtension private static final ProxyFixture fixture = new ProxyFixture();

  @AutoClose private final RawDestination destination = new RawDestination();

  private RawRequest sendHead(String requestLine, String... headers) {
    return fixture.sendHead(fixture.vault.port(), requestLine, destination.url(), headers);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET||",
        "HEAD||",
        "OPTIONS||",
        "DELETE|Content-Length: 0|content-length: 0",
        "POST||content-length: 0",
        "M-SEARCH||"
      })
  void anyMethodIsForwardedWithoutBody(String method, String framing, String expected) {
    String[] headers = framing == null ? new String[0] : new String[] {framing};
    try (RawRequest caller = sendHead(method + " /proxy/x HTTP/1.1", headers)) {
      RawDestination.Exchange exchange = destination.takeRequest();
      assertThat(exchange.requestLine()).isEqualTo(method + " /x HTTP/1.1");
      assertThat(exchange.framing()).isEqualTo(expected == null ? List.of() : List.of(expected));
      exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
      caller.readResponse().expect(200);
    }
  }

  @Test
  void eachEventReachesCallerBeforeNextIsSent() {
    try (RawRequest caller = sendHead("GET /proxy HTTP/1.1")) {
      RawDestination.Exchange exchange = destination.takeRequest();
      exchange.send(
          "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
              + "Transfer-Encoding: chunked\r\n\r\n");
      assertThat(caller.readHead().header("Content-Type")).contains("text/event-stream");
      for (int i = 0; i < 5; i++) {
        String event = "data: " + i + "\n\n";
        exchange.send(event.length() + "\r\n" + event + "\r\n");
        StringBuilder seen = new StringBuilder();
        while (seen.indexOf(event) < 0) {
          seen.append(caller.readSome());
        }
      }
      exchange.send("0\r\n\r\n");
      assertThat(caller.readSome()).endsWith("0\r\n\r\n");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Content-Length: 10", "Transfer-Encoding: chunked"})
  void eachBodyPartReachesDestinationBeforeNextIsSent(String framing) {
    boolean chunked = framing.endsWith("chunked");
    List<String> parts =
        chunked ? List.of("5\r\nfirst\r\n", "5\r\nother\r\n") : List.of("first", "other");
    try (RawRequest caller =
        sendHead("POST /proxy HTTP/1.1", framing, "Content-Type: application/octet-stream")) {
      RawDestination.Exchange exchange = null;
      for (String part : parts) {
        caller.send(part);
        exchange = exchange == null ? destination.takeRequest() : exchange;
        assertThat(exchange.read(part.length())).asString().isEqualTo(part);
      }
      caller.send(chunked ? "0\r\n\r\n" : "");
      exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
      caller.readResponse().expect(200);
    }
  }

  /** Only the closure of TLS shows that such a response is complete. */
  @Test
  void unframedResponseWithoutTlsCloseIsCutShortForCaller() {
    try (RawRequest caller = sendHead("GET /proxy HTTP/1.1", "Connection: close")) {
      destination.takeRequest().send("HTTP/1.1 200 OK\r\n\r\nhello").closeTcpOnly();
      ReceivedBytes response = caller.readToEnd();
      if (response.closedCleanly()) {
        assertThat(response.text())
            .contains("Transfer-Encoding: chunked")
            .doesNotEndWith("0\r\n\r\n");
      }
    }
  }

  @Test
  void expressionsInResponseAreNotReplaced() {
    String token = fixture.token("secret");
    fixture.destination.respond(new MockResponse.Builder().body("{{" + token + "}}").build());
    assertThat(fixture.call("GET", "/").send().text()).isEqualTo("{{" + token + "}}");
  }
}
