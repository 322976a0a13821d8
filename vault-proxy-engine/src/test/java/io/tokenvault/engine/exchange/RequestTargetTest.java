package io.tokenvault.engine.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.engine.EngineFixture;
import io.tokenvault.engine.RawDestination;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Destination, path and query of forwarded requests. */
class RequestTargetTest {

  @AutoClose private final EngineFixture fixture = new EngineFixture();

  @BeforeEach
  void start() {
    fixture.vault.token("tok-1", "\"a b/c?d&e=f%\"");
    fixture.vault.token("dots", "\"..\"");
    fixture.vault.token("climb", "\"x/../y\"");
    fixture.vault.token("brace", "\"{{tok-1}}\"");
    fixture.vault.token("umlaut", "\"ü\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''              | ''         |                 | /",
        "/               | ''         |                 | /",
        "/api            | ''         |                 | /api",
        "/api/           | ''         |                 | /api",
        "/api///         | /          |                 | /api/",
        "/api            | /x         |                 | /api/x",
        "/api/           | /x/        |                 | /api/x/",
        "/api            | //x        |                 | /api//x",
        "''              | //x        |                 | //x",
        "/api            | /x%2fy     |                 | /api/x%2fy",
        "/api            | /a;b=c     |                 | /api/a;b=c",
        "/api            | /x^y[1]    |                 | /api/x%5Ey%5B1%5D",
        "/api            | /%zz%4     |                 | /api/%25zz%254",
        "/api            | /ü         |                 | /api/%C3%BC",
        "/api            | /%c3%bc~   |                 | /api/%c3%bc~",
        "/api            | /a b\"<>`  |                 | /api/a%20b%22%3C%3E%60",
        "/api            | /a         | ''              | /api/a?",
        "/api            | /a         | a=b&a=c&&d      | /api/a?a=b&a=c&&d",
        "/api            | /a         | q=it's+(1)%20*? | /api/a?q=it's+(1)%20*?",
        "/api            | /a         | a[]=1^#         | /api/a?a%5B%5D=1%5E%23",
        "/api            | /a         | =&%3d=%26       | /api/a?=&%3d=%26",
        "/api?k=v        | /a         | b=c             | /api/a?k=v&b=c",
        "/api/?k=v       | ''         |                 | /api?k=v",
        "/api?           | ''         |                 | /api?",
        "/api?           | /a         | ''              | /api/a?",
        "/api?           | /a         | b=c             | /api/a?b=c",
        "/api?k='v'      | ''         | ''              | /api?k='v'",
        "/api            | /{{        | {{}}=}}         | /api/%7B%7B?%7B%7B%7D%7D=%7D%7D"
      })
  void pathAndQueryKeepTheirEncoding(String base, String path, String query, String expected)
      throws Exception {
    EngineFixture.Call call = fixture.get().path(path).to(fixture.url(base));
    if (query != null) {
      call.query(query);
    }

    assertThat(call.delivered().target()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "svc-proxy-key=KEY                                      | /",
        "a=1&svc-proxy-key=KEY&b=2                              | /?a=1&b=2",
        "%73vc-proxy-ke%79=KEY&a=1                              | /?a=1",
        "svc%2Dproxy%2dkey=KEY&svc-proxy-key=KEY&a=1            | /?a=1",
        "SVC-Proxy-Key=KEY&a=svc-proxy-key                      | /?a=svc-proxy-key"
      })
  void proxyKeyParameterIsRemovedInAllSpellings(String query, String expected) throws Exception {
    String proxyKey = fixture.vault.proxyKey(fixture.url(), true);

    RawDestination.Received received =
        fixture.get().noDestination().query(query.replace("KEY", proxyKey)).delivered();

    assertThat(received.target()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/../x", "/a\\..\\b", "/%252e%252e/x", "/%2%65%2%65/x", "/%%32%65./x"})
  void dotSegmentsAreRejected(String path) {
    fixture.get().path(path).assertRefused(FailureCause.DESTINATION_INVALID);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/{{dots}}", "/{{climb}}", "/.%7B%7B dot }}", "/%2e{{empty}}"})
  void dotSegmentsAfterReplacementAreRejected(String path) {
    fixture.vault.token("empty", "\"\"");
    fixture.vault.token("dot", "\".\"");

    fixture.get().path(path).assertRefused(FailureCause.DESTINATION_INVALID);
    assertThat(fixture.destination.connections()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/x{{tok-1}}y       |                           | /xa%20b%2Fc%3Fd%26e%3Df%25y",
        "/%7B%7Btok-1%7d%7d | q=%7b%7b+tok-1+%7d%7d&z=1 |"
            + " /a%20b%2Fc%3Fd%26e%3Df%25?q=a%20b%2Fc%3Fd%26e%3Df%25&z=1",
        "/{%7btok-1}%7D     | {{tok-1}}={{umlaut}}      |"
            + " /a%20b%2Fc%3Fd%26e%3Df%25?a%20b%2Fc%3Fd%26e%3Df%25=%C3%BC",
        "/{{brace}}         | a={{b&c=d}}               | /%7B%7Btok-1%7D%7D?a=%7B%7Bb&c=d%7D%7D"
      })
  void expressionsInPathAndQueryAreReplacedEncoded(String path, String query, String expected)
      throws Exception {
    EngineFixture.Call call = fixture.get().path(path);
    if (query != null) {
      call.query(query);
    }

    assertThat(call.delivered().target()).isEqualTo(expected);
  }

  @Test
  void nameWithInvalidPunycodeIsRejectedBeforeTokenUse() {
    fixture
        .call()
        .to("https://xn--0.example.test")
        .header("X-Token", "{{tok-1}}")
        .body("text/plain", "{{tok-1}}")
        .assertRefused(FailureCause.DESTINATION_INVALID);
    assertThat(fixture.vault.events()).isEmpty();
  }

  @Test
  void urlHeaderIsNotDetokenizedAndIsIgnoredWithProxyKey() throws Exception {
    String proxyKey = fixture.vault.proxyKey(fixture.url("/fixed"), true);

    RawDestination.Received received =
        fixture.get().byProxyKey(proxyKey).header("SVC-PROXY-URL", "not even a URL").delivered();

    assertThat(received.target()).isEqualTo("/fixed");
    fixture.get().to(fixture.url("/{{tok-1}}")).assertRefused(FailureCause.DESTINATION_INVALID);
  }

  @Test
  void onlyConflictingProxyKeysAreRejected() throws Exception {
    String one = fixture.vault.proxyKey(fixture.url("/one"), true);
    String two = fixture.vault.proxyKey(fixture.url("/two"), true);

    fixture
        .call()
        .byProxyKey(one)
        .query("svc-proxy-key=" + two)
        .assertRefused(FailureCause.DESTINATION_INVALID);
    fixture
        .call()
        .key("bad")
        .byProxyKey(one)
        .query("svc-proxy-key=" + two)
        .assertRefused(FailureCause.MISSING_OR_INVALID_KEY);
    assertThat(fixture.call().byProxyKey(one).query("svc-proxy-key=" + one).delivered().target())
        .isEqualTo("/one");
  }

  @Test
  void onlyConflictingUrlsAreRejected() throws Exception {
    String one = fixture.url("/one");

    fixture.call().to(one).to(fixture.url("/two")).assertRefused(FailureCause.DESTINATION_INVALID);
    assertThat(fixture.call().to(one).to(one).delivered().target()).isEqualTo("/one");
  }

  @Test
  void destinationIsCheckedAfterKeys() {
    String key = fixture.vault.proxyKey("https://127.0.0.1/", true);

    fixture.call().anonymous().byProxyKey(key).assertRefused(FailureCause.MISSING_OR_INVALID_KEY);
    fixture.call().anonymous().noDestination().assertRefused(FailureCause.MISSING_OR_INVALID_KEY);
    fixture.call().byProxyKey(key).assertRefused(FailureCause.DESTINATION_INVALID);
    fixture.call().noDestination().assertRefused(FailureCause.DESTINATION_INVALID);
  }

  @Test
  void dataCannotChangeCheckedDestination() throws Exception {
    fixture.vault.token("host", "\"@evil.example.test/\"");

    RawDestination.Received received =
        fixture
            .get()
            .path("/{{host}}")
            .query("u={{host}}")
            .header("Host", "evil.example.test")
            .header("X-Forwarded-Host", "{{host}}")
            .delivered();

    assertThat(received.target()).isEqualTo("/%40evil.example.test%2F?u=%40evil.example.test%2F");
    assertThat(received.headerLines())
        .contains("Host: " + EngineFixture.HOST + ":" + fixture.destination.port());
  }
}
