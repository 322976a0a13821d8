package io.tokenvault.server.e2e.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.e2e.fixture.ClosedPort;
import io.tokenvault.server.e2e.fixture.HttpsDestination;
import io.tokenvault.server.e2e.fixture.ProxyFixture;
import io.tokenvault.server.e2e.fixture.Response;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import mockwebserver3.MockResponse;
import okio.Buffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What comes back: rule 8 of proxy invocation, and what happens when nothing does. */
final class ProxyResponseTest {

  /** More than is ever held. */
  private static final int BIG = 11 << 20;

  @RegisterExtension
  private static final ProxyFixture fixture = new ProxyFixture(HttpsDestination.startHttp1());

  private static byte[] noise(int length) {
    byte[] noise = new byte[length];
    new Random(4711).nextBytes(noise);
    return noise;
  }

  @ParameterizedTest
  @ValueSource(ints = {201, 302, 401, 408, 421, 503, 599})
  void everyStatusPassesAndRequestIsSentOnce(int status) {
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

  @Test
  void compressedResponsesPassUnchanged() throws IOException {
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
  void expressionsInResponseAreNotReplaced() {
    String token = fixture.token("secret");
    fixture.destination.answer(new MockResponse.Builder().body("{{" + token + "}}").build());
    assertThat(fixture.call("GET", "/").send().text()).isEqualTo("{{" + token + "}}");
  }

  @Test
  void bigBodiesPassBothWays() {
    byte[] noise = noise(BIG);
    fixture.destination.answer(
        request ->
            new MockResponse.Builder()
                .chunkedBody(new Buffer().write(request.getBody()), 100_000)
                .build());
    Response response = fixture.post().body("application/octet-stream", noise).send().expect(200);
    assertThat(Arrays.equals(response.bytes(), noise)).isTrue();
    assertThat(fixture.destination.received().getBodySize()).isEqualTo(BIG);
  }

  @Test
  void untrustedCertificateIsBadGateway() {
    try (HttpsDestination untrusted = HttpsDestination.startUntrusted()) {
      Response response = fixture.caller.call("GET", "/proxy").to(untrusted.url()).send();
      fixture.refused(response, 502, "tls-failed");
      assertThat(untrusted.count()).isZero();
    }
  }

  @Test
  void certificateForOtherNameIsBadGateway() {
    String url = fixture.destination.url(HttpsDestination.UNNAMED_HOST);
    Response response = fixture.caller.call("GET", "/proxy").to(url).send();
    fixture.refusedBeforeAnythingLeft(response, 502, "tls-failed");
  }

  @Test
  void closedPortIsBadGateway() {
    try (ClosedPort closed = new ClosedPort()) {
      Response response = fixture.caller.call("GET", "/proxy").to(closed.url()).send();
      fixture.refused(response, 502, "connect-failed");
    }
  }
}
