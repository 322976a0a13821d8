package io.tokenvault.server.e2e.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.ProxyFixture;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.Wire;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every form of URL that the rules of destinations name, as a destination of the caller's, as that
 * of a proxy, and as what follows {@code /proxy}. Each request names a token, whose use would be in
 * the log; PORT is one on which this machine would accept any connection.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class HostileUrlsTest {

  private static final String INVALID = "destination-invalid";
  private static final String LABEL = "a".repeat(63);

  private final ProxyFixture fixture = new ProxyFixture();
  private final ServerSocketChannel listener = listen();
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

  @AfterAll
  void close() throws IOException {
    listener.close();
    fixture.close();
  }

  private String atListener(String url) {
    return url.replace("PORT", Integer.toString(listener.socket().getLocalPort()));
  }

  private String atDestination(String url) {
    return url.replace("PORT", Integer.toString(fixture.destination.port()));
  }

  private Response toUrl(String url) {
    return Wire.exchange(
        fixture.vault,
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

  private long uses() {
    return StreamSupport.stream(fixture.tenant.log().spliterator(), false)
        .filter(entry -> entry.path("operation").asText().equals("use"))
        .count();
  }

  /** Sends, and makes sure that nothing of it reached anything. */
  private void refusedAtOnce(String url, int status, String type) throws IOException {
    int before = fixture.destination.count();
    long used = uses();
    fixture.refused(toUrl(atListener(url)), status, type);
    try (SocketChannel dialled = listener.accept()) {
      assertThat(dialled).as("a connection").isNull();
    }
    assertThat(fixture.destination.count()).isEqualTo(before);
    assertThat(uses()).as("uses of the token").isEqualTo(used);
  }

  @ParameterizedTest
  @MethodSource("io.tokenvault.server.e2e.proxy.HostileUrls#all")
  void whatIsNoDestinationIsRefusedInTheHeader(String url) throws IOException {
    refusedAtOnce(url, 400, INVALID);
  }

  @ParameterizedTest
  @MethodSource("io.tokenvault.server.e2e.proxy.HostileUrls#all")
  void whatIsNoDestinationMakesNoProxy(String url) {
    proxyTo(atListener(url)).expectErrorsAt("destination_url");
  }

  /** Each as the header gives it, less the blanks around it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://payments.test:PORT",
        "https://payments.test:PORT/",
        "https://payments.test:PORT//",
        "https://payments.test:PORT?",
        "HTTPS://payments.test:PORT",
        "hTTps://PAYments.TesT:PORT",
        "https://payments.test:PORT/?u=https://a@b/../c;d'e",
        "https://payments.test:PORT/a:b@c/;/..../.b/b./%2e%2e%2e",
        "https://payments.test:PORT/%0d%0aX:%20y/%00/%ff"
      })
  void aGoodUrlIsADestinationAndMakesAProxy(String url) {
    toUrl(atDestination(url)).expect(200);
    assertThat(fixture.destination.received().getHeaders().get("X-Token")).isEqualTo("a secret");
    String key = proxyTo(atDestination(url)).expect(201).text("key");
    fixture.caller.call("GET", "/proxy").header("SVC-PROXY-KEY", key).send().expect(200);
    fixture.destination.received();
  }

  @Test
  void blanksAroundAHeaderAreNotPartOfItAndThoseInABodyAre() {
    toUrl(atDestination(" \t https://payments.test:PORT\t ")).expect(200);
    fixture.destination.received();
    for (String blank : List.of(" ", "\t", "\n", "\r\n", "\u00a0", "\u2028")) {
      proxyTo(blank + fixture.destination.url()).expectErrorsAt("destination_url");
      proxyTo(fixture.destination.url() + blank).expectErrorsAt("destination_url");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"\r", "\r\r", "\0", "\r\n ", "\r\n\t", "\n "})
  void lineBreaksAndNulMakeNoDestination(String character) throws IOException {
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
  void aNameOfMoreThanOneForeignLabelIsSentAsItsPunycode() {
    String host = "xn--bcher-kva.xn--fiqs8s.test";
    try (RunningVault.Node node =
        fixture.vault.node(
            Map.of(
                "VAULT_EGRESS_PRIVATE_HOSTS",
                host,
                "VAULT_EGRESS_HOST_OVERRIDES",
                host + "=127.0.0.1"))) {
      Response response = to(node, fixture.destination.url(host));
      assertThat(fixture.refused(response, 502, "tls-failed").path("detail").asText())
          .contains(host);
    }
    proxyTo("https://" + host).expect(201);
  }

  @ParameterizedTest
  @ValueSource(strings = {"xn--0.test", "payments.xn--99999999.test", "xn--zz--zz.test"})
  void aNameWhosePunycodeStandsForNothingIsRefused(String host) throws IOException {
    refusedAtOnce("https://" + host + ":PORT", 400, INVALID);
  }

  @Test
  void aNameOfTheLocalNetworkIsRefusedByItsAddress() throws IOException {
    Map<String, String> addresses =
        Map.of(
            "printer.local", "192.168.1.9",
            "router.home.arpa", "10.0.0.1",
            "db.internal", "127.0.0.1",
            "metadata.google.internal", "169.254.169.254",
            "instance-data.ec2.internal", "fd00:ec2::254",
            "svc.cluster.local", "::ffff:127.0.0.1",
            "nat.example.com", "64:ff9b::7f00:1",
            "relay.example.com", "2002:7f00:1::1",
            "127.0.0.1.nip.example", "127.0.0.1",
            "0x7f.example.com", "0.0.0.0");
    String overrides =
        addresses.entrySet().stream().map(Map.Entry::toString).collect(Collectors.joining(","));
    try (RunningVault.Node node =
        fixture.vault.node(Map.of("VAULT_EGRESS_HOST_OVERRIDES", overrides))) {
      for (String host : addresses.keySet()) {
        String url = atListener("https://" + host + ":PORT");
        fixture.refused(to(node, url), 502, "dns-failed");
        assertThat(listener.accept()).as("a connection").isNull();
        proxyTo(url).expect(201);
      }
    }
  }

  private Response to(RunningVault.Node node, String url) {
    return node.call("POST", "/proxy")
        .key(fixture.caller.key())
        .header("SVC-PROXY-URL", url)
        .json("{}")
        .send();
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
  void severalUrlsAreRefusedUnlessTheyAreTheSame() throws IOException {
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
