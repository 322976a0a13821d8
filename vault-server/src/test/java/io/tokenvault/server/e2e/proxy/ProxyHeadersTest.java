package io.tokenvault.server.e2e.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.e2e.fixture.HttpsDestination;
import io.tokenvault.server.e2e.fixture.ProxyFixture;
import io.tokenvault.server.e2e.fixture.Response;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import mockwebserver3.MockResponse;
import mockwebserver3.RecordedRequest;
import okhttp3.Headers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Which headers pass, both ways: rule 6 of proxy invocation and decisions.md section 6. */
final class ProxyHeadersTest {

  @RegisterExtension
  private static final ProxyFixture fixture = new ProxyFixture(HttpsDestination.startHttp1());

  private static List<String> lines(Headers headers) {
    return StreamSupport.stream(headers.spliterator(), false)
        .map(pair -> pair.getFirst() + ": " + pair.getSecond())
        .toList();
  }

  private RecordedRequest forwarded(String... headers) {
    fixture.raw("GET", "/", headers).expect(200);
    return fixture.destination.received();
  }

  @Test
  void headersGoUnchangedRepeatedOnesIncludedInOrder() {
    List<String> sent =
        List.of(
            "Authorization: Bearer abc==",
            "X-Multi: one",
            "Cookie: a=b; c=\"d\"",
            "x-multi: two,  three",
            "Accept: */*;q=0.1",
            "User-Agent: me/1.0",
            "Accept-Encoding: br, gzip;q=0",
            "X_Underscore: 1",
            "Forwarded: for=1.2.3.4",
            "X-Forwarded-For: 5.6.7.8",
            "X-Empty:",
            "Origin: https://shop.example",
            "If-None-Match: W/\"x\"",
            "Range: bytes=0-1",
            "X-SVC-Other: kept",
            "Date: Sat, 21 Nov 2026 00:00:00 GMT");
    Headers received = forwarded(sent.toArray(String[]::new)).getHeaders();
    List<String> expected =
        sent.stream().map(line -> line.endsWith(":") ? line + " " : line).toList();
    assertThat(lines(received).stream().filter(line -> !line.startsWith("Host:")))
        .containsExactlyElementsOf(expected);
  }

  @Test
  void hopByHopAndOwnHeadersStay() {
    RecordedRequest request =
        forwarded(
            "Connection: close, Upgrade, X-Hop, x-other-hop",
            "X-Hop: 1",
            "X-Other-Hop: 2",
            "Keep-Alive: timeout=5",
            "TE: trailers",
            "Trailer: X-Trailer",
            "Upgrade: h2c",
            "Proxy-Connection: keep-alive",
            "SVC-Something: x",
            "svc-lower: x",
            "SVC-TRACE-ID: t",
            "X.Dotted: x",
            "X!Bang: x",
            "X-Kept: 1");
    assertThat(lines(request.getHeaders()))
        .containsExactlyInAnyOrder(
            "Host: payments.test:" + fixture.destination.port(), "X-Kept: 1");
  }

  @Test
  void responseHeadersPassExceptHopByHopAndOwnOnes() {
    fixture.destination.answer(
        new MockResponse.Builder()
            .code(201)
            .clearHeaders()
            .addHeader("Content-Length", 2)
            .addHeader("Set-Cookie", "a=1; Path=/")
            .addHeader("X-One", "1")
            .addHeader("Set-Cookie", "b=2")
            .addHeader("Connection", "keep-alive, X-Hop")
            .addHeader("X-Hop", "1")
            .addHeader("Keep-Alive", "timeout=5")
            .addHeader("SVC-PROXY-DESTINATION-STATUS", "999")
            .addHeader("SVC-TRACE-ID", "theirs")
            .addHeader("svc-other", "x")
            .addHeader("Server", "theirs/1.0")
            .addHeader("Date", "Sat, 21 Nov 2020 00:00:00 GMT")
            .addHeader("ETag", "\"x\"")
            .addHeader("Access-Control-Allow-Origin", "*")
            .body("ok")
            .removeHeader("Content-Type")
            .build());
    Response response = fixture.raw("GET", "/", "SVC-TRACE-ID: mine").expect(201);
    assertThat(response.headers().allValues("Set-Cookie")).containsExactly("a=1; Path=/", "b=2");
    assertThat(response.headers().allValues("SVC-TRACE-ID")).containsExactly("mine");
    assertThat(response.headers().allValues("SVC-PROXY-DESTINATION-STATUS")).containsExactly("201");
    assertThat(response.headers().allValues("Date"))
        .containsExactly("Sat, 21 Nov 2020 00:00:00 GMT");
    assertThat(
            response.headers().map().keySet().stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .filter(name -> !name.equals("connection"))
                .collect(Collectors.toSet()))
        .containsExactlyInAnyOrder(
            "content-length",
            "set-cookie",
            "x-one",
            "server",
            "date",
            "etag",
            "access-control-allow-origin",
            "svc-proxy-destination-status",
            "svc-trace-id");
  }
}
