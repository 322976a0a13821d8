package io.tokenvault.server.e2e.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.server.e2e.fixture.ClosedPort;
import io.tokenvault.server.e2e.fixture.HttpsDestination;
import io.tokenvault.server.e2e.fixture.ProxyFixture;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.Wire;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import mockwebserver3.MockResponse;
import mockwebserver3.MockResponseBody;
import mockwebserver3.SocketEffect;
import okio.Buffer;
import okio.BufferedSink;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What comes back: rule 8 of proxy invocation, and what happens when nothing does. */
final class ProxyResponseTest {

  private static final int BIG = 20 << 20;
  private static final long PATIENCE_SECONDS = 20;

  private final ProxyFixture fixture = new ProxyFixture(HttpsDestination.startHttp1());

  @AfterEach
  void close() {
    fixture.close();
  }

  private static byte[] noise(int length) {
    byte[] noise = new byte[length];
    new Random(4711).nextBytes(noise);
    return noise;
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 201, 202, 206, 301, 302, 303, 307, 308})
  void redirectsAndSuccessesPassAsTheyAre(int status) {
    assertPassesAndIsSentOnce(status);
  }

  @ParameterizedTest
  @ValueSource(
      ints = {400, 401, 403, 404, 407, 408, 409, 413, 418, 421, 429, 500, 502, 503, 504, 599})
  void errorsOfTheDestinationPassAsTheyAre(int status) {
    assertPassesAndIsSentOnce(status);
  }

  private void assertPassesAndIsSentOnce(int status) {
    fixture.destination.answer(
        new MockResponse.Builder()
            .code(status)
            .addHeader("Location", "https://payments.test:1/elsewhere")
            .addHeader("Retry-After", "0")
            .addHeader("WWW-Authenticate", "Basic realm=\"theirs\"")
            .addHeader("Content-Type", "application/problem+json")
            .body("{\"proxy_error\":\"not ours\"}")
            .build());
    Response response = fixture.call("GET", "/x").send().expect(status);
    assertThat(response.text()).isEqualTo("{\"proxy_error\":\"not ours\"}");
    assertThat(response.header(ProxyFixture.DESTINATION_STATUS)).contains(Integer.toString(status));
    assertThat(response.header("Location")).contains("https://payments.test:1/elsewhere");
    assertThat(response.header("Retry-After")).contains("0");
    assertThat(response.header("WWW-Authenticate")).contains("Basic realm=\"theirs\"");
    assertThat(response.header("Content-Type")).contains("application/problem+json");
    assertThat(fixture.destination.count()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {204, 304})
  void answersWithoutABodyHaveNone(int status) {
    fixture.destination.answer(
        new MockResponse.Builder().code(status).clearHeaders().addHeader("ETag", "\"x\"").build());
    Response response = fixture.raw("GET", "/").expect(status);
    assertThat(response.header("ETag")).contains("\"x\"");
    assertThat(response.bytes()).isEmpty();
  }

  @Test
  void compressedAnswersPassUntouched() throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write("{\"a\":\"plain\"}".getBytes(StandardCharsets.UTF_8));
    }
    fixture.destination.answer(
        new MockResponse.Builder()
            .addHeader("Content-Encoding", "gzip")
            .addHeader("Content-Type", "application/json")
            .body(new Buffer().write(packed.toByteArray()))
            .build());
    Response response = fixture.call("GET", "/").send().expect(200);
    assertThat(response.bytes()).isEqualTo(packed.toByteArray());
    assertThat(response.headers().allValues("Content-Encoding")).containsExactly("gzip");
  }

  @Test
  void anAnswersExpressionsAreNotReplaced() {
    String token = fixture.token("secret");
    fixture.destination.answer(new MockResponse.Builder().body("{{" + token + "}}").build());
    assertThat(fixture.call("GET", "/").send().text()).isEqualTo("{{" + token + "}}");
  }

  @Test
  void bigBodiesPassBothWays() {
    byte[] noise = noise(BIG);
    fixture.destination.answer(
        request -> new MockResponse.Builder().body(new Buffer().write(request.getBody())).build());
    Response response = fixture.post().body("application/octet-stream", noise).send().expect(200);
    assertThat(Arrays.equals(response.bytes(), noise)).isTrue();
    assertThat(fixture.destination.received().getBodySize()).isEqualTo(BIG);
  }

  @Test
  void bigChunkedAnswersPass() {
    byte[] noise = noise(BIG);
    fixture.destination.answer(
        new MockResponse.Builder().chunkedBody(new Buffer().write(noise), 100_000).build());
    Response response = fixture.raw("GET", "/").expect(200);
    assertThat(Arrays.equals(response.bytes(), noise)).isTrue();
  }

  @Test
  void aBigTextWithoutExpressionsStreamsOn() {
    String text = "{\"a\":\"" + "x{y}".repeat(3 << 20) + "\"}";
    fixture.post().json(text).send().expect(200);
    assertThat(fixture.receivedBody().equals(text)).isTrue();
  }

  @Test
  void anExpressionThatIsMetTooLateBreaksTheRequestOff() {
    String token = fixture.token("secret");
    String text = "x".repeat(11 << 20) + "{{" + token + "}}";
    Response response = fixture.post().body("text/plain", text).send();
    fixture.refused(response, 413, "body-too-large");
    assertThat(response.text()).doesNotContain("secret");
  }

  @Test
  void aBodyOfUnknownLengthIsPassedOn() {
    try (Wire wire =
        new Wire(
            fixture.vault,
            "POST /proxy HTTP/1.1",
            "Host: vault.test",
            "SVC-API-KEY: " + fixture.caller.key(),
            "SVC-PROXY-URL: " + fixture.destination.url(),
            "Content-Type: application/octet-stream",
            "Transfer-Encoding: chunked")) {
      wire.send("5\r\nhello\r\n").send("6\r\n world\r\n0\r\n\r\n").answer().expect(200);
    }
    assertThat(fixture.receivedBody()).isEqualTo("hello world");
  }

  @Test
  void expressionsInABodyOfUnknownLengthAreReplaced() {
    String token = fixture.token("secret");
    try (Wire wire =
        new Wire(
            fixture.vault,
            "POST /proxy HTTP/1.1",
            "Host: vault.test",
            "SVC-API-KEY: " + fixture.caller.key(),
            "SVC-PROXY-URL: " + fixture.destination.url(),
            "Content-Type: application/json",
            "Transfer-Encoding: chunked")) {
      wire.send("4\r\n[\"{{\r\n")
          .send(Integer.toHexString(token.length()) + "\r\n" + token + "\r\n")
          .send("4\r\n}}\"]\r\n0\r\n\r\n")
          .answer()
          .expect(200);
    }
    assertThat(fixture.receivedBody()).isEqualTo("[\"secret\"]");
  }

  @Test
  void anAnswerPassesOnAsItArrives() {
    CountDownLatch firstWasSeen = new CountDownLatch(1);
    fixture.destination.answer(new MockResponse.Builder().body(inTwoParts(firstWasSeen)).build());
    try (Wire wire =
        new Wire(
            fixture.vault,
            "GET /proxy HTTP/1.1",
            "Host: vault.test",
            "Connection: close",
            "SVC-API-KEY: " + fixture.caller.key(),
            "SVC-PROXY-URL: " + fixture.destination.url())) {
      wire.head().expect(200);
      assertThat(until(wire, "first")).doesNotContain("second");
      firstWasSeen.countDown();
      assertThat(until(wire, "second")).isNotEmpty();
    }
  }

  private static String until(Wire wire, String expected) {
    StringBuilder seen = new StringBuilder();
    while (seen.indexOf(expected) < 0) {
      String more = wire.more();
      assertThat(more).as("the answer so far: %s", seen).isNotEmpty();
      seen.append(more);
    }
    return seen.toString();
  }

  private static MockResponseBody inTwoParts(CountDownLatch goOn) {
    return new MockResponseBody() {
      @Override
      public long getContentLength() {
        return "firstsecond".length();
      }

      @Override
      public void writeTo(BufferedSink sink) throws IOException {
        sink.writeUtf8("first").flush();
        try {
          if (!goOn.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IOException("the first part was not passed on");
          }
        } catch (InterruptedException interrupted) {
          Thread.currentThread().interrupt();
        }
        sink.writeUtf8("second").flush();
      }
    };
  }

  @Test
  void anAnswerThatIsCutShortDoesNotLookComplete() {
    fixture.destination.answer(
        new MockResponse.Builder()
            .body("x".repeat(1 << 20))
            .onResponseBody(new SocketEffect.CloseSocket())
            .build());
    assertThatThrownBy(() -> fixture.call("GET", "/").send())
        .isInstanceOf(UncheckedIOException.class);
  }

  @Test
  void aRequestThatMayHaveArrivedIsNotSentAgain() {
    fixture.call("GET", "/warm").send().expect(200);
    fixture.destination.answer(
        new MockResponse.Builder().onResponseStart(new SocketEffect.CloseSocket()).build());
    for (String method : new String[] {"POST", "GET"}) {
      int before = fixture.destination.count();
      Response response = fixture.call(method, "/").send();
      fixture.refused(response, 502, "destination-broke-off");
      assertThat(fixture.destination.count()).isEqualTo(before + 1);
    }
  }

  @Test
  void aCertificateThatNobodyTrustsIsABadGateway() {
    try (HttpsDestination untrusted = HttpsDestination.startUntrusted()) {
      Response response =
          fixture.caller.call("GET", "/proxy").header("SVC-PROXY-URL", untrusted.url()).send();
      fixture.refused(response, 502, "tls-failed");
      assertThat(untrusted.count()).isZero();
    }
  }

  @Test
  void anExpiredCertificateIsABadGateway() {
    try (HttpsDestination expired = HttpsDestination.startExpired()) {
      Response response =
          fixture.caller.call("GET", "/proxy").header("SVC-PROXY-URL", expired.url()).send();
      fixture.refused(response, 502, "tls-failed");
      assertThat(expired.count()).isZero();
    }
  }

  @Test
  void aCertificateForAnotherNameIsABadGateway() {
    String url = fixture.destination.url(HttpsDestination.UNNAMED_HOST);
    Response response = fixture.caller.call("GET", "/proxy").header("SVC-PROXY-URL", url).send();
    fixture.refusedBeforeAnythingLeft(response, 502, "tls-failed");
  }

  @Test
  void aDestinationWithoutTlsIsABadGateway() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread plain = new Thread(() -> answerInTheClear(server), "plain");
      plain.start();
      Response response =
          fixture.caller.call("GET", "/proxy").header("SVC-PROXY-URL", url(server)).send();
      fixture.refused(response, 502, "tls-failed");
    }
  }

  private static void answerInTheClear(ServerSocket server) {
    try (Socket socket = server.accept()) {
      socket
          .getOutputStream()
          .write(
              "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      socket.getInputStream().readNBytes(1);
    } catch (IOException closed) {
      // The vault hung up, as it should.
    }
  }

  private static String url(ServerSocket server) {
    return "https://" + HttpsDestination.HOST + ":" + server.getLocalPort();
  }

  @Test
  void aClosedPortIsABadGateway() {
    try (ClosedPort closed = new ClosedPort()) {
      Response response =
          fixture.caller.call("GET", "/proxy").header("SVC-PROXY-URL", closed.url()).send();
      fixture.refused(response, 502, "connect-failed");
    }
  }
}
