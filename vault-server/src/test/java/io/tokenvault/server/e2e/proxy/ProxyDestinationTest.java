package io.tokenvault.server.e2e.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.e2e.fixture.Eventually;
import io.tokenvault.server.e2e.fixture.HttpsDestination;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.ProxyFixture;
import io.tokenvault.server.e2e.fixture.Response;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a request goes: rules 1 to 3 of proxy invocation, and what decisions.md adds to them. */
final class ProxyDestinationTest {

  private static final String INVALID = "destination-invalid";

  private final ProxyFixture fixture = new ProxyFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void theUrlHeaderNamesTheBase() {
    Response response = fixture.post().json("{}").send().expect(200);
    assertThat(response.text()).isEqualTo("{\"received\":true}");
    assertThat(response.header(ProxyFixture.DESTINATION_STATUS)).contains("200");
    assertThat(fixture.receivedBody()).isEqualTo("{}");
  }

  @Test
  void theKeyHeaderNamesAProxy() {
    String key = fixture.proxy().path("key").asText();
    fixture.caller.call("POST", "/proxy/a").header("SVC-PROXY-KEY", key).send().expect(200);
    assertThat(fixture.destination.received().getTarget()).isEqualTo("/a");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "?svc-proxy-key=KEY|/",
        "/a?svc-proxy-key=KEY|/a",
        "/a?svc-proxy-key=KEY&b=c|/a?b=c",
        "/a?b=c&svc-proxy-key=KEY|/a?b=c",
        "/a?b=c&svc-proxy-key=KEY&b=%64&e|/a?b=c&b=%64&e"
      })
  void theKeyParameterNamesAProxyAndIsNotForwarded(String sent, String expected) {
    String key = fixture.proxy().path("key").asText();
    fixture.caller.call("GET", "/proxy" + sent.replace("KEY", key)).send().expect(200);
    assertThat(fixture.destination.received().getTarget()).isEqualTo(expected);
  }

  @Test
  void theSameKeyInHeaderAndParameterIsFine() {
    String key = fixture.proxy().path("key").asText();
    fixture
        .caller
        .call("GET", "/proxy/x?svc-proxy-key=" + key)
        .header("SVC-PROXY-KEY", key)
        .send()
        .expect(200);
    assertThat(fixture.destination.received().getTarget()).isEqualTo("/x");
  }

  @Test
  void differentKeysInHeaderAndParameterAreRefused() {
    Response response =
        fixture
            .caller
            .call("GET", "/proxy?svc-proxy-key=" + fixture.proxy().path("key").asText())
            .header("SVC-PROXY-KEY", fixture.proxy().path("key").asText())
            .send()
            .expect(400);
    assertThat(Json.names(response.json())).containsExactly("proxy_error");
    assertThat(fixture.destination.count()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://shipping.test:1", "http://127.0.0.1", "not a url"})
  void withAProxyKeyTheUrlHeaderIsIgnored(String url) {
    String key = fixture.proxy().path("key").asText();
    fixture
        .caller
        .call("GET", "/proxy")
        .header("SVC-PROXY-KEY", key)
        .header("SVC-PROXY-URL", url)
        .send()
        .expect(200);
    assertThat(fixture.destination.count()).isEqualTo(1);
  }

  @Test
  void withoutADestinationARequestIsRefused() {
    fixture.refusedBeforeAnythingLeft(fixture.caller.get("/proxy/x"), 400, INVALID);
  }

  @Test
  void aChangedProxyGoesToItsNewDestinationAtOnce() {
    JsonNode proxy = fixture.proxy();
    String key = proxy.path("key").asText();
    fixture
        .tenant
        .management()
        .put(
            "/proxies/" + proxy.path("id").asText(),
            Json.object("name", "new", "destination_url", fixture.destination.url() + "/new"))
        .expect(200);
    fixture.caller.call("GET", "/proxy/x").header("SVC-PROXY-KEY", key).send().expect(200);
    assertThat(fixture.destination.received().getTarget()).isEqualTo("/new/x");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "~~|~~|/",
        "/|~~|/",
        "~~|/|/",
        "/api|~~|/api",
        "/api|/|/api/",
        "/api/|~~|/api",
        "/api/|/x|/api/x",
        "/api///|/x|/api/x",
        "/api|/x/|/api/x/",
        "/api|//x//y|/api//x//y",
        "/api|?a=b|/api?a=b",
        "/api?k=v|~~|/api?k=v",
        "/api?k=v|/x|/api/x?k=v",
        "/api?k=v|/x?a=b|/api/x?k=v&a=b",
        "/api/?k=v|/?a=b|/api/?k=v&a=b",
        "~~|/a%20b/%C3%BC%2F%3F?q=%26+x%3D|/a%20b/%C3%BC%2F%3F?q=%26+x%3D",
        "~~|/x?q='a'&r=(b)*!$,;:@/?&&=|/x?q='a'&r=(b)*!$,;:@/?&&=",
        "~~|/a:b@c;d=e,f!$&'()*+~~-._~|/a:b@c;d=e,f!$&'()*+~~-._~",
        "~~|/.../.a/a.|/.../.a/a.",
        "/%7e%41|/%7E%42|/%7e%41/%7E%42"
      })
  void pathAndQueryAreAppendedAsTheyWereEncoded(String base, String sent, String expected) {
    fixture
        .caller
        .call("GET", "/proxy" + sent)
        .header("SVC-PROXY-URL", fixture.destination.url() + base)
        .send()
        .expect(200);
    assertThat(fixture.destination.received().getTarget()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      quoteCharacter = '~',
      value = {
        "/a|b /a%7Cb",
        "/a^b /a%5Eb",
        "/a{b}c /a%7Bb%7Dc",
        "/a\"b /a%22b",
        "/a<b>`c /a%3Cb%3E%60c",
        "/a[b] /a%5Bb%5D",
        "/x?q=a|b /x?q=a%7Cb",
        "/x?q={\"a\":[1]} /x?q=%7B%22a%22:%5B1%5D%7D",
        "/x?q=a^b`<c> /x?q=a%5Eb%60%3Cc%3E",
        "/x?q=%zz&r=100% /x?q=%25zz&r=100%25"
      })
  void whatAUrlCannotHoldRawGoesPercentEncoded(String sent, String expected) {
    fixture.raw("GET", sent).expect(200);
    assertThat(fixture.destination.received().getTarget()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/..",
        "/../x",
        "/.",
        "/./x",
        "/a/..",
        "/a/../../b",
        "/%2e%2e/x",
        "/%2E./x",
        "/.%2e",
        "/a/%2e/x",
        "/a%2f..%2fb",
        "/a%2F%2e%2E",
        "/..%5cx",
        "/a/..;x/../b"
      })
  void dotSegmentsAreRefusedInAnyEncoding(String path) {
    Response response = fixture.raw("GET", path).expect(400);
    assertThat(Json.names(response.json())).as("%s", response).containsExactly("proxy_error");
    assertThat(fixture.destination.count()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"..", ".", "a/../b", "..\\x"})
  void dataThatMakesADotSegmentIsRefused(String data) {
    String token = fixture.token(data);
    Response response = fixture.raw("GET", "/a/{{" + token + "}}/b").expect(400);
    assertThat(response.text()).doesNotContain("a/../b");
    assertThat(fixture.destination.count()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://payments.test",
        "ftp://payments.test",
        "payments.test",
        "//payments.test",
        "https:payments.test",
        "https://",
        "https:///path",
        "https://127.0.0.1",
        "https://127.0.0.1:8443/x",
        "https://127.1",
        "https://127.0.1",
        "https://2130706433",
        "https://0x7f000001",
        "https://0x7f.1",
        "https://0177.0.0.1",
        "https://017700000001",
        "https://127.0.0.1.",
        "https://169.254.169.254/latest/meta-data",
        "https://8.8.8.8",
        "https://[::1]",
        "https://[::ffff:127.0.0.1]",
        "https://[2606:4700::1111]:443",
        "https://payments.test.",
        "https://payments.test..",
        "https://.payments.test",
        "https://payments..test",
        "https://localhost",
        "https://LOCALHOST:8443",
        "https://a.localhost",
        "https://intranet",
        "https://user@payments.test",
        "https://user:password@payments.test",
        "https://@payments.test",
        "https://payments.test#fragment",
        "https://payments.test/a#fragment",
        "https://payments.test/a/../b",
        "https://payments.test/%2e%2E/b",
        "https://payments.test/..%2fb",
        "https://payments.test:0",
        "https://payments.test:65536",
        "https://payments.test:443x",
        "https://payments.test:-1",
        "https://payments.test\\@shipping.test",
        "https://payments.test%00.evil.test",
        "https://payments.test%2eevil.test",
        "https://payments.test /x",
        "https://payments.test/{{token}}",
        "javascript:alert(1)"
      })
  void aUrlThatIsNoHttpsDnsNameIsRefused(String url) {
    Response response =
        fixture.caller.call("POST", "/proxy").header("SVC-PROXY-URL", url).json("{}").send();
    fixture.refusedBeforeAnythingLeft(response, 400, INVALID);
  }

  @Test
  void aUrlOfMoreThan2048CharactersIsRefused() {
    String longest = "a".repeat(2048 - fixture.destination.url().length() - 1);
    fixture
        .caller
        .call("GET", "/proxy")
        .header("SVC-PROXY-URL", fixture.destination.url() + "/" + longest)
        .send()
        .expect(200);
    Response tooLong =
        fixture
            .caller
            .call("GET", "/proxy")
            .header("SVC-PROXY-URL", fixture.destination.url() + "/" + longest + "a")
            .send();
    fixture.refused(tooLong, 400, INVALID);
  }

  @Test
  void theHostIsComparedWithoutCase() {
    String url = fixture.destination.url("PayMents.TEST");
    fixture.caller.call("GET", "/proxy").header("SVC-PROXY-URL", url).send().expect(200);
    assertThat(fixture.destination.received().getUrl().host()).isEqualTo("payments.test");
  }

  @Test
  void aNameThatResolvesToLoopbackIsRefusedWithoutAConnection() {
    String url = fixture.destination.url(HttpsDestination.REBOUND_HOST);
    Response response = fixture.caller.call("GET", "/proxy").header("SVC-PROXY-URL", url).send();
    fixture.refusedBeforeAnythingLeft(response, 502, "dns-failed");
  }

  /** Nobody finds out by asking which private names there are. */
  @Test
  void aNameThatResolvesToLoopbackIsAnsweredAsOneThatResolvesToNothing() {
    Response nothing = traced("nothing.invalid");
    fixture.refused(nothing, 502, "dns-failed");
    Response loopback = traced(HttpsDestination.REBOUND_HOST);

    assertThat(loopback.text())
        .isEqualTo(nothing.text().replace("nothing.invalid", HttpsDestination.REBOUND_HOST));
    assertThat(loopback.headers().map().keySet()).isEqualTo(nothing.headers().map().keySet());
    Eventually.holds(
        "the log has the difference",
        Duration.ofSeconds(20),
        () ->
            Json.each(fixture.tenant.log(), "message")
                .containsAll(
                    List.of(
                        "Proxy invocation ended: The destination's address is refused",
                        "Proxy invocation ended: The destination's name does not resolve to a"
                            + " permitted address")));
  }

  private Response traced(String host) {
    return fixture
        .caller
        .call("GET", "/proxy")
        .header("SVC-PROXY-URL", "https://" + host)
        .header("SVC-TRACE-ID", "the-same")
        .send();
  }

  @Test
  void aProxyCannotBeMadeForARefusedDestination() {
    fixture
        .tenant
        .management()
        .post("/proxies", Json.object("name", "p", "destination_url", "https://127.0.0.1"))
        .expectErrorsAt("destination_url");
  }
}
