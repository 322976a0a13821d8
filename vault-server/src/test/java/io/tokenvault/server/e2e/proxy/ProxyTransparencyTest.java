package io.tokenvault.server.e2e.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.e2e.fixture.ProxyFixture;
import io.tokenvault.server.e2e.fixture.Wire;
import io.tokenvault.server.e2e.fixture.WireConnection.Rest;
import io.tokenvault.server.e2e.fixture.WireDestination;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What passes as it is, seen from both ends of the wire: the test plays the caller and the
 * destination, each byte in its turn.
 */
final class ProxyTransparencyTest {

  @RegisterExtension private static final ProxyFixture fixture = new ProxyFixture();

  @AutoClose private final WireDestination destination = new WireDestination();

  private Wire wire(String requestLine, String... headers) {
    return fixture.wire(fixture.vault.port(), requestLine, destination.url(), headers);
  }

  private Wire get() {
    return wire("GET /proxy HTTP/1.1", "Connection: close");
  }

  private static String unescaped(String text) {
    return text.replace("\\r", "\r").replace("\\n", "\n");
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
    try (Wire caller = wire(method + " /proxy/x HTTP/1.1", headers)) {
      WireDestination.Exchange exchange = destination.take();
      assertThat(exchange.requestLine()).isEqualTo(method + " /x HTTP/1.1");
      assertThat(exchange.framing()).isEqualTo(expected == null ? List.of() : List.of(expected));
      exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
      caller.answer().expect(200);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "DELETE", "FOO"})
  void otherMethodsGoWithABody(String method) {
    try (Wire caller =
        wire(
            method + " /proxy/x HTTP/1.1",
            "Content-Type: application/json",
            "Content-Encoding: gzip",
            "Content-Length: 5")) {
      caller.send("{\"{{}");
      WireDestination.Exchange exchange = destination.take();
      assertThat(exchange.requestLine()).isEqualTo(method + " /x HTTP/1.1");
      assertThat(exchange.framing()).containsExactly("content-length: 5");
      assertThat(exchange.read(5)).asString().isEqualTo("{\"{{}");
      exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
      caller.answer().expect(200);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET|1.1|200 OK\\r\\nContent-Length: 5\\r\\n\\r\\nhello|Content-Length: 5|hello",
        "GET|1.1|200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n5\\r\\nhello\\r\\n0\\r\\n\\r\\n"
            + "||hello",
        "GET|1.0|200 OK\\r\\n\\r\\nhello||hello",
        "GET|1.1|304 Not Modified\\r\\nContent-Length: 99\\r\\n\\r\\n|Content-Length: 99|",
        "HEAD|1.1|200 OK\\r\\nContent-Length: 99\\r\\n\\r\\n|Content-Length: 99|"
      })
  void responseIsFramedForCaller(
      String method, String version, String sent, String framing, String body) {
    try (Wire caller = wire(method + " /proxy HTTP/" + version, "Connection: close")) {
      destination.take().send("HTTP/1.1 " + unescaped(sent)).close();
      Rest response = caller.rest();
      assertThat(framing(response.text())).isEqualTo(framing == null ? "" : framing);
      assertThat(decoded(response.text())).isEqualTo(body == null ? "" : body);
      assertThat(response.inGoodOrder()).isTrue();
    }
  }

  private static String framing(String response) {
    return response
        .split("\r\n\r\n", 2)[0]
        .lines()
        .filter(line -> line.startsWith("Content-Length") || line.startsWith("Transfer-"))
        .findFirst()
        .orElse("");
  }

  private static String decoded(String response) {
    String body = response.split("\r\n\r\n", 2)[1];
    if (!framing(response).startsWith("Transfer-")) {
      return body;
    }
    assertThat(body).endsWith("0\r\n\r\n");
    return body.replaceAll("(?m)^[0-9A-Fa-f]+\r\n", "").replace("\r\n", "");
  }

  /** They belong to the framing of one connection (RFC 9110, 6.5.1). */
  @Test
  void responseTrailersAreNotForwarded() {
    try (Wire caller = get()) {
      destination
          .take()
          .send("HTTP/1.1 200 OK\r\nTrailer: X-T\r\nTransfer-Encoding: chunked\r\n\r\n")
          .send("2\r\nok\r\n0\r\nX-T: 1\r\n\r\n")
          .close();
      Rest response = caller.rest();
      assertThat(response.text()).doesNotContain("X-T");
      assertThat(decoded(response.text())).isEqualTo("ok");
    }
  }

  @Test
  void eachEventReachesCallerBeforeNextIsSent() {
    try (Wire caller = wire("GET /proxy HTTP/1.1")) {
      WireDestination.Exchange exchange = destination.take();
      exchange.send(
          "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
              + "Transfer-Encoding: chunked\r\n\r\n");
      assertThat(caller.head().header("Content-Type")).contains("text/event-stream");
      for (int i = 0; i < 5; i++) {
        String event = "data: " + i + "\n\n";
        exchange.send(event.length() + "\r\n" + event + "\r\n");
        StringBuilder seen = new StringBuilder();
        while (seen.indexOf(event) < 0) {
          seen.append(caller.more());
        }
      }
      exchange.send("0\r\n\r\n");
      assertThat(caller.more()).endsWith("0\r\n\r\n");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Content-Length: 10", "Transfer-Encoding: chunked"})
  void eachBodyPartReachesDestinationBeforeNextIsSent(String framing) {
    boolean chunked = framing.endsWith("chunked");
    List<String> parts =
        chunked ? List.of("5\r\nfirst\r\n", "5\r\nother\r\n") : List.of("first", "other");
    try (Wire caller =
        wire("POST /proxy HTTP/1.1", framing, "Content-Type: application/octet-stream")) {
      WireDestination.Exchange exchange = null;
      for (String part : parts) {
        caller.send(part);
        exchange = exchange == null ? destination.take() : exchange;
        assertThat(exchange.read(part.length())).asString().isEqualTo(part);
      }
      caller.send(chunked ? "0\r\n\r\n" : "");
      exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
      caller.answer().expect(200);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 10\\r\\n\\r\\nhello",
        "Transfer-Encoding: chunked\\r\\n\\r\\n5\\r\\nhello\\r\\n"
      })
  void truncatedResponseIsCutShortForCaller(String sent) {
    try (Wire caller = get()) {
      destination.take().send("HTTP/1.1 200 OK\r\n" + unescaped(sent)).close();
      assertThatItIsCutShort(caller.rest());
    }
  }

  /** Only the end of TLS says that such an answer is whole. */
  @Test
  void unframedResponseWithoutTlsCloseIsCutShortForCaller() {
    try (Wire caller = get()) {
      destination.take().send("HTTP/1.1 200 OK\r\n\r\nhello").breakOff();
      assertThatItIsCutShort(caller.rest());
    }
  }

  private static void assertThatItIsCutShort(Rest response) {
    String framing = response.text().contains("\r\n\r\n") ? framing(response.text()) : "";
    if (response.inGoodOrder()) {
      assertThat(framing).as("%s", response).isNotEmpty();
      if (framing.startsWith("Content-Length: ")) {
        String body = response.text().split("\r\n\r\n", 2)[1];
        assertThat(body.length()).isLessThan(Integer.parseInt(framing.substring(16)));
      } else {
        assertThat(response.text()).doesNotEndWith("0\r\n\r\n");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "HTT",
        "HTTP/1.1 200 OK\\r\\nContent-Length: 5\\r\\n",
        "HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: x\\r\\n\\r\\n"
      })
  void truncatedHeadIsBadGatewayAndRequestIsNotSentAgain(String sent) {
    try (Wire caller = get()) {
      destination.take().send(unescaped(sent)).close();
      fixture.refused(caller.answer(), 502, "destination-broke-off");
      assertThat(destination.count()).isEqualTo(1);
    }
  }
}
