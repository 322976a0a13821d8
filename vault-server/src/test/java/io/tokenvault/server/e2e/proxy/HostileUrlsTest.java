package io.tokenvault.server.e2e.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.ProxyFixture;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.Wire;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * URLs that are no destinations, as one of the caller's and as that of a proxy. Each request names
 * a token, whose use would be in the log; PORT is one on which this machine would accept any
 * connection.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class HostileUrlsTest {

  private static final String INVALID = "destination-invalid";
  private static final String LABEL = "a".repeat(63);

  @AutoClose private final ProxyFixture fixture = new ProxyFixture();
  @AutoClose private final ServerSocketChannel listener = listen();
  private final String token = fixture.token("a secret");

  private static ServerSocketChannel listen() {
    try {
      ServerSocketChannel channel = ServerSocketChannel.open().bind(new InetSocketAddress(0));
      channel.configureBlocking(false);
      return channel;
    } catch (IOException failed) {
      throw new AssertionError(failed);
    }
  }

  private String atListener(String url) {
    return url.replace("PORT", Integer.toString(listener.socket().getLocalPort()));
  }

  private String atDestination(String url) {
    return url.replace("PORT", Integer.toString(fixture.destination.port()));
  }

  private Response toUrl(String url) {
    return Wire.exchange(
        fixture.vault.port(),
        "POST /proxy/a?t={{" + token + "}} HTTP/1.1",
        "SVC-API-KEY: " + fixture.caller.key(),
        "SVC-PROXY-URL: " + url,
        "X-Token: {{" + token + "}}");
  }

  private Response proxyTo(String url) {
    return fixture
        .tenant
        .management()
        .post("/proxies", Json.object("name", "hostile", "destination_url", url));
  }

  private int uses() {
    return fixture.tenant.log("operation=use").size();
  }

  /** Sends, and makes sure that nothing of it reached anything. */
  private void refusedAtOnce(String url, int status, String type) throws IOException {
    int before = fixture.destination.count();
    int used = uses();
    fixture.refused(toUrl(atListener(url)), status, type);
    try (SocketChannel dialled = listener.accept()) {
      assertThat(dialled).as("a connection").isNull();
    }
    assertThat(fixture.destination.count()).isEqualTo(before);
    assertThat(uses()).as("uses of the token").isEqualTo(used);
  }

  /** One of each kind; DestinationTest has them all. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://payments.test:PORT",
        "//payments.test:PORT",
        "https:///payments.test:PORT",
        "https://127.0.0.1:PORT",
        "https://169.254.169.254/latest/meta-data",
        "https://2130706433:PORT",
        "https://0x7f.1:PORT",
        "https://[::1]:PORT",
        "https://[::ffff:127.0.0.1]:PORT",
        "https://127\uff0e0\uff0e0\uff0e1:PORT",
        "https://localhost:PORT",
        "https://intranet:PORT",
        "https://payments.test.:PORT",
        "https://pay_ments.test:PORT",
        "https://b\u00fccher.test:PORT",
        "https://payments.test%00.shipping.test:PORT",
        "https://user:password@payments.test:PORT",
        "https://payments.test\\@shipping.test:PORT",
        "https://payments.test:0",
        "https://payments.test:65536",
        "https://payments.test:PORT#fragment",
        "https://payments.test:PORT/a/%2e%2E/b",
        "https://payments.test:PORT/{{id}}",
        "https://payments.test:PORT/a b"
      })
  void invalidDestinationIsRejectedInHeaderAndProxy(String url) throws IOException {
    refusedAtOnce(url, 400, INVALID);
    proxyTo(atListener(url)).expectErrorsAt("destination_url");
  }

  /** Each as the header gives it, less the blanks around it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://payments.test:PORT?",
        "hTTps://PAYments.TesT:PORT",
        "https://payments.test:PORT/a:b@c/;/..../.b/b./%2e%2e%2e"
      })
  void validUrlIsAcceptedAsDestinationAndForProxy(String url) {
    toUrl(atDestination(url)).expect(200);
    assertThat(fixture.destination.received().getHeaders().get("X-Token")).isEqualTo("a secret");
    String key = proxyTo(atDestination(url)).expect(201).text("key");
    fixture.caller.call("GET", "/proxy").through(key).send().expect(200);
    fixture.destination.received();
  }

  @ParameterizedTest
  @ValueSource(strings = {"\r", "\0", "\r\n "})
  void urlWithLineBreakOrNulIsRejected(String character) throws IOException {
    for (String url :
        List.of(
            "https://payments.test" + character + "shipping.test:PORT",
            "https://payments.test:PORT/" + character + "x",
            "https:" + character + "//payments.test:PORT")) {
      refusedAtOnce(url, 400, "malformed-request");
      assertThat(proxyTo(atListener(url)).status()).isEqualTo(400);
    }
  }

  @Test
  void namesAndUrlsHaveTheirGreatestLength() {
    String name = String.join(".", LABEL, LABEL, LABEL, "a".repeat(57)) + ".com";
    proxyTo("https://" + name).expect(201);
    proxyTo("https://a" + name).expectErrorsAt("destination_url");
    String url = fixture.destination.url() + "/";
    String longest = url + "a".repeat(2048 - url.length());
    toUrl(longest).expect(200);
    fixture.destination.received();
    fixture.refused(toUrl(longest + "a"), 400, INVALID);
    proxyTo(longest).expect(201);
    proxyTo(longest + "a").expectErrorsAt("destination_url");
    fixture.refused(toUrl("https://" + "a".repeat(70_000)), 431, "headers-too-large");
  }

  @Test
  void severalUrlsAreRejectedUnlessIdentical() throws IOException {
    String url = fixture.destination.url();
    toUrl(url + "\r\nSVC-PROXY-URL: " + url).expect(200);
    fixture.destination.received();
    for (String other : List.of(url + "/", url.toUpperCase(Locale.ROOT), "https://a.test", "")) {
      refusedAtOnce(url + "\r\nsvc-proxy-url: " + other, 400, INVALID);
      refusedAtOnce(other + "\r\nSVC-PROXY-URL: " + url, 400, INVALID);
    }
    refusedAtOnce("", 400, INVALID);
  }
}
