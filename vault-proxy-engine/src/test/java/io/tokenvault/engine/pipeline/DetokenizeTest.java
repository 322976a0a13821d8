package io.tokenvault.engine.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.engine.EngineFixture;
import io.tokenvault.engine.RawDestination;
import io.tokenvault.engine.Refusals;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which expressions are replaced, where, and what is refused. */
class DetokenizeTest {

  private static final String FORM = "application/x-www-form-urlencoded";

  @AutoClose private final EngineFixture fixture = new EngineFixture();

  @BeforeEach
  void start() {
    fixture.vault.token("card", "\"4111 & \\\"1111\\\"\"");
    fixture.vault.token("object", "{\"number\":1.50,\"name\":\"ü\"}");
    fixture.vault.token("true", "true");
    fixture.vault.token("lines", "\"a\\r\\nb\"");
    fixture.vault.token("nested", "\"{{card}}\"");
    fixture.vault.token("umlaut", "\"ü€\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '¦',
      value = {
        "{\"a\":\"{{card}}\"}                 ¦ {\"a\":\"4111 & \\\"1111\\\"\"}",
        "{\"a\":\"{{ object }}\", \"b\" : 1 } ¦ {\"a\":{\"number\":1.50,\"name\":\"ü\"}, \"b\" : 1"
            + " }",
        "[\"{{true}}\",\"is {{true}}\"]       ¦ [true,\"is true\"]",
        "{\"a\":\"x {{object}} y\"}           ¦ {\"a\":\"x"
            + " {\\\"number\\\":1.50,\\\"name\\\":\\\"ü\\\"} y\"}",
        "{\"{{card}}\":\"{{true}}\"}          ¦ {\"{{card}}\":true}",
        "\"{{true}}\"                         ¦ true",
        "\"\\u007b{true\\u007D}\"             ¦ true",
        "{\"a\":\"\\u00e9\",\"b\":\" {{true}}\\n\"} ¦ {\"a\":\"\\u00e9\",\"b\":\" true\\u000a\"}",
        "{\"a\":\"{{nested}}\"}               ¦ {\"a\":\"{{card}}\"}",
        "{\"a\":\"{{\",\"b\":{\"c\":{}}}      ¦ {\"a\":\"{{\",\"b\":{\"c\":{}}}",
        "{\"a\":\"{{}} {% if %}\"}            ¦ {\"a\":\"{{}} {% if %}\"}",
        "{malformed {{ but no expression      ¦ {malformed {{ but no expression"
      })
  void inJson(String body, String expected) throws Exception {
    assertThat(fixture.call().body("application/json", body).delivered().bodyText())
        .isEqualTo(expected);
    assertThat(
            fixture
                .call()
                .body("application/vnd.x+json; charset=UTF-8", body)
                .delivered()
                .bodyText())
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"a\":{{card}}}", "{\"a\":\"{{card}}\"", "[\"{{card}}\",]", "{{card}}"})
  void malformedJsonWithExpressionsIsRefused(String body) {
    Refusals.assertRefused(
        FailureCause.VALIDATION_FAILED, () -> fixture.call().body("application/json", body).send());
    assertThat(fixture.vault.events()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '¦',
      value = {
        "a={{card}}&b=1+2               ¦ a=4111%20%26%20%221111%22&b=1+2",
        "a=%7B%7b+true+%7D%7d&b=%7B     ¦ a=true&b=%7B",
        "{{true}}=x{{umlaut}}           ¦ true=x%C3%BC%E2%82%AC",
        "a={{card&b=}}                  ¦ a={{card&b=}}",
        "a={{+}}&b=%7B%7B%20%7D}        ¦ a={{+}}&b=%7B%7B%20%7D}"
      })
  void inForms(String body, String expected) throws Exception {
    assertThat(fixture.call().body(FORM, body).delivered().bodyText()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '¦',
      value = {
        "{{card}}{{ card }}|{{\ttrue\t}} ¦ 4111 & \"1111\"4111 & \"1111\"|true",
        "{{nested}} {{}} {{ }} {{ }      ¦ {{card}} {{}} {{ }} {{ }",
        "{% raw %}{{true}}}}             ¦ {% raw %}true}}",
        "%7B%7Btrue%7D%7D                ¦ %7B%7Btrue%7D%7D"
      })
  void inText(String body, String expected) throws Exception {
    assertThat(fixture.call().body("text/plain", body).delivered().bodyText()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16", "utf-16be", "ISO-8859-1", "\"utf-8\""})
  void contentTypeCharsetIsHonored(String charset) throws Exception {
    Charset named = Charset.forName(charset.replace("\"", ""));
    fixture.vault.token("letter", "\"ü\"");

    byte[] text =
        fixture
            .call()
            .body("text/plain; charset=" + charset, "ä{{letter}}".getBytes(named))
            .delivered()
            .body();
    byte[] json =
        fixture
            .call()
            .body("application/json;charset=" + charset, "[\"{{umlaut}}\"]".getBytes(named))
            .delivered()
            .body();

    assertThat(new String(text, named)).isEqualTo("äü");
    assertThat(new String(json, named)).isIn("[\"ü€\"]", "[\"ü\\u20ac\"]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"none-such", "?", "", "\"\"", "\"", "a b"})
  void unknownCharsetIsRejectedOnlyWithExpressions(String charset) throws Exception {
    for (String type : List.of("text/plain", "application/json", FORM)) {
      String named = type + "; charset=" + charset;
      Refusals.assertRefused(
          FailureCause.VALIDATION_FAILED,
          () -> fixture.call().body(named, "[\"{{card}}\"]").send());
      assertThat(fixture.call().body(named, "[\"card\"]").delivered().bodyText())
          .isEqualTo("[\"card\"]");
    }
  }

  @Test
  void twoContentTypesAreRefused() {
    Refusals.assertRefused(
        FailureCause.VALIDATION_FAILED,
        () ->
            fixture
                .call()
                .header("Content-Type", "application/xml")
                .body("application/json", "[\"{{card}}\"]")
                .send());
  }

  @Test
  void textThatCharsetCannotRepresentIsRejected() {
    Refusals.assertRefused(
        FailureCause.VALIDATION_FAILED,
        () -> fixture.call().body("text/plain; charset=us-ascii", "{{umlaut}}").send());
    Refusals.assertRefused(
        FailureCause.VALIDATION_FAILED,
        () -> fixture.call().body(FORM + "; charset=us-ascii", "a={{umlaut}}").send());
    Refusals.assertRefused(
        FailureCause.VALIDATION_FAILED,
        () ->
            fixture
                .call()
                .body("text/plain", "{{card}} ü".getBytes(StandardCharsets.ISO_8859_1))
                .send());
  }

  @Test
  void bytesThatAreNotTextGoUntouchedWithoutExpressions() throws Exception {
    byte[] bytes = {(byte) 0xff, '{', '{', (byte) 0xfe, 0};

    assertThat(fixture.call().body("application/json", bytes).delivered().body()).isEqualTo(bytes);
  }

  @Test
  void inHeaderValues() throws Exception {
    RawDestination.Received received =
        fixture
            .call()
            .method("GET")
            .header("Authorization", "Basic {{true}}:{{ umlaut }}")
            .header("X-{{true}}", "1")
            .delivered();

    assertThat(received.headerLines()).contains("Authorization: Basic true:ü€").hasSize(2);
  }

  @Test
  void headersThatDoNotGoOutNameNoTokens() throws Exception {
    fixture
        .call()
        .method("GET")
        .header("SVC-TRACE-ID", "{{unknown}}")
        .header("Host", "{{unknown}}")
        .header("Connection", "X-Hop")
        .header("X-Hop", "{{unknown}}")
        .delivered();

    assertThat(fixture.vault.events()).doesNotContain("recorded: Token used");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"a\\r\\nX: y\"", "\"a\\nb\"", "\"a\\rb\"", "\"a\\u0000b\""})
  void dataNeverSplitsHeader(String data) {
    fixture.vault.token("split", data);

    Refusals.assertRefused(
        FailureCause.VALIDATION_FAILED,
        () -> fixture.call().method("GET").header("X-A", "{{split}}").send());
    assertThat(fixture.destination.connections()).isZero();
  }

  @Test
  void filtersInAllOtherPlaces() throws Exception {
    RawDestination.Received received =
        fixture
            .call()
            .path("/{{ card | slice: 0, 6 }}/%7B%7B%20card%20%7C%20slice%3A%200%2C%204%20%7D%7D")
            .query("a={{umlaut|append:'%26'}}")
            .header("X-A", "{{ card | reveal_last: 4, mask='#' }}")
            .body(FORM, "a={{+umlaut+|+append:+'%20'+}}")
            .delivered();

    assertThat(received.target()).isEqualTo("/4111%20%26/4111?a=%C3%BC%E2%82%AC%26");
    assertThat(received.headerLines()).contains("X-A: #########111\"");
    assertThat(received.bodyText()).isEqualTo("a=%C3%BC%E2%82%AC%20");
    assertThat(fixture.call().body("text/plain", "{{card|last4}}").delivered().bodyText())
        .isEqualTo("111\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{{ card | unheard_of }}",
        "{{ card | append: '{{true}}",
        "{{ card | append: unheard_of }}",
        "{{ card | }}"
      })
  void invalidExpressionIsRejectedBeforeAnythingIsRecorded(String expression) {
    String message =
        Refusals.assertRefused(
            FailureCause.VALIDATION_FAILED,
            () -> fixture.call().body("text/plain", expression).send());

    assertThat(message).doesNotContain("unheard_of");
    assertThat(fixture.vault.events()).isEmpty();
    assertThat(fixture.destination.connections()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"{{ card | plus: 1 }}", "{{ object | json: '$.*' }}"})
  void expressionFailingOnItsValueIsRejectedWithoutRevealingIt(String expression) {
    String message =
        Refusals.assertRefused(
            FailureCause.VALIDATION_FAILED,
            () -> fixture.call().body("text/plain", expression).send());

    assertThat(message).contains("filter 1 (").doesNotContain("4111", "1.50");
    assertThat(fixture.vault.events()).contains("recorded: Token used");
    assertThat(fixture.destination.connections()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/xml", "text/xml; charset=utf-8", "image/svg+xml"})
  void inXml(String type) throws Exception {
    fixture.vault.token("mark", "\"<a & 'b'>\"");

    assertThat(
            fixture
                .call()
                .body(type, "<a b='{{mark}}'><!--{{mark}}-->{{mark}}<![CDATA[{{mark}}]]></a >")
                .delivered()
                .bodyText())
        .isEqualTo(
            "<a b='&lt;a &amp; &apos;b&apos;&gt;'><!--{{mark}}-->&lt;a &amp; 'b'&gt;"
                + "<![CDATA[<a & 'b'>]]></a >");
    assertThat(fixture.call().body(type, "<a>{{</a").delivered().bodyText()).isEqualTo("<a>{{</a");
    Refusals.assertRefused(
        FailureCause.VALIDATION_FAILED, () -> fixture.call().body(type, "<a>{{mark}}</a").send());
  }

  @Test
  void inPartsOfAMultipartBody() throws Exception {
    String body =
        "--XX\r\nContent-Disposition: form-data; name=\"{{card}}\"\r\n\r\n{{card}}\r\n"
            + "--XX\r\nContent-Type: application/json\r\n\r\n[\"{{object}}\"]\r\n"
            + "--XX\r\nContent-Type: image/png\r\n\r\n{{card}}\r\n--XX--\r\n";

    assertThat(fixture.call().body("multipart/form-data; boundary=XX", body).delivered().bodyText())
        .isEqualTo(
            body.replace(
                    "\r\n\r\n{{card}}\r\n--XX\r\nContent-Type: app",
                    "\r\n\r\n4111 & \"1111\"\r\n--XX\r\nContent-Type: app")
                .replace("\"{{object}}\"", "{\"number\":1.50,\"name\":\"ü\"}"));
    Refusals.assertRefused(
        FailureCause.VALIDATION_FAILED,
        () -> fixture.call().body("multipart/form-data", body).send());
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/octet-stream", "image/png", "application/pdf"})
  void opaqueTypesAreNotRead(String type) throws Exception {
    assertThat(fixture.call().body(type, "{{card}}").delivered().bodyText()).isEqualTo("{{card}}");
  }

  @Test
  void encodedBodiesAreNotRead() throws Exception {
    assertThat(
            fixture
                .call()
                .header("Content-Encoding", "gzip")
                .body("text/plain", "{{card}}")
                .delivered()
                .bodyText())
        .isEqualTo("{{card}}");
  }

  @Test
  void askedForByHeaderAllBracesAreText() throws Exception {
    RawDestination.Received received =
        fixture
            .call()
            .header("SVC-PROXY-DETOKENIZE", "OFF")
            .path("/{{card}}")
            .header("X-A", "{{card | x}}")
            .body("application/json", "{{card}}" + "x".repeat(3 * EngineFixture.LIMIT))
            .delivered();

    assertThat(received.target()).isEqualTo("/%7B%7Bcard%7D%7D");
    assertThat(received.headerLines()).contains("X-A: {{card | x}}");
    assertThat(received.bodyText()).startsWith("{{card}}x");
    assertThat(
            fixture
                .call()
                .header("svc-proxy-detokenize", "On")
                .body("text/plain", "{{true}}")
                .delivered()
                .bodyText())
        .isEqualTo("true");
    Refusals.assertRefused(
        FailureCause.VALIDATION_FAILED,
        () -> fixture.call().header("SVC-PROXY-DETOKENIZE", "no").send());
  }

  @Test
  void anonymousExpressionsAreLeftAsText() throws Exception {
    String open = fixture.vault.proxyKey(fixture.url(), false);

    assertThat(
            fixture
                .call()
                .anonymous()
                .byProxyKey(open)
                .body("text/plain", "{{card}}")
                .delivered()
                .bodyText())
        .isEqualTo("{{card}}");
    assertThat(
            fixture.call().byProxyKey(open).body("text/plain", "{{true}}").delivered().bodyText())
        .isEqualTo("true");
  }

  @Test
  void unknownTokensAreAllNamedAndRequestIsNotSent() {
    assertThat(
            Refusals.assertRefused(
                FailureCause.UNKNOWN_TOKENS,
                () ->
                    fixture
                        .call()
                        .path("/{{no-1}}")
                        .header("X-A", "{{no-2}}")
                        .body("text/plain", "{{card}}{{no-3}}")
                        .send()))
        .contains("no-1", "no-2", "no-3");
    assertThat(fixture.destination.connections()).isZero();
  }

  @Test
  void requestNamesAtMostOneHundredTokens() throws Exception {
    IntStream.range(0, 101).forEach(i -> fixture.vault.token("t" + (100 + i), "1"));

    assertThat(fixture.call().body("text/plain", naming(100) + naming(100)).delivered().bodyText())
        .isEqualTo("1".repeat(200));
    Refusals.assertRefused(
        FailureCause.TOO_MANY_TOKENS, () -> fixture.call().body("text/plain", naming(101)).send());
  }

  private static String naming(int tokens) {
    return IntStream.range(0, tokens)
        .mapToObj(i -> "{{t" + (100 + i) + "}}")
        .collect(Collectors.joining());
  }

  @Test
  void textPastTheLimitStreamsOnWithoutExpressions() throws Exception {
    String text = "x".repeat(4 * EngineFixture.LIMIT) + "{{ }} {{";

    assertThat(fixture.call().body("text/plain", text).delivered().bodyText()).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '¦',
      value = {
        "text/plain       ¦ {{card}}",
        "text/plain       ¦ {{no id at all",
        "application/json ¦ \"\\u007b{card}\\u007d",
        "application/xml  ¦ <a>{{card}}</a>",
        "multipart/mixed ¦ {{card}}",
        FORM + " ¦ a=%7b%7bcard%7d%7D"
      })
  void expressionPastLimitAbortsRequest(String type, String tail) throws Exception {
    String text = "x".repeat(4 * EngineFixture.LIMIT) + tail;

    if (tail.endsWith("at all")) {
      assertThat(fixture.call().body(type, text).delivered().bodyText()).isEqualTo(text);
      return;
    }
    Refusals.assertRefused(
        FailureCause.BODY_TOO_LARGE, () -> fixture.call().body(type, text).send());
    assertThat(fixture.destination.waiting()).isZero();
  }

  @Test
  void pastTheLimitOnlyTextualPartsAreWatched() throws Exception {
    String type = "multipart/form-data; boundary=XX";
    String file =
        "--XX\r\nContent-Type: image/png\r\n\r\n"
            + "{{card}}".repeat(EngineFixture.LIMIT)
            + "\r\n--XX\r\n\r\n";

    assertThat(fixture.call().body(type, file + "{{\r\n--XX--").delivered().bodyText())
        .isEqualTo(file + "{{\r\n--XX--");
    Refusals.assertRefused(
        FailureCause.BODY_TOO_LARGE,
        () -> fixture.call().body(type, file + "{{card}}\r\n--XX--").send());
    assertThat(fixture.destination.waiting()).isZero();
  }

  @Test
  void expressionInBufferOfTooLargeBodyIsRejectedBeforeSending() throws Exception {
    String largest = "{{card}}" + "x".repeat(EngineFixture.LIMIT - "{{card}}".length());
    Refusals.assertRefused(
        FailureCause.BODY_TOO_LARGE, () -> fixture.call().body("text/plain", largest + "x").send());
    assertThat(fixture.destination.connections()).isZero();
    assertThat(fixture.call().body("text/plain", largest).delivered().bodyText())
        .doesNotContain("{{card}}");
  }

  @Test
  void memoryOfBufferedBodiesIsReleased() throws Exception {
    String halfTheBudget = "x".repeat(EngineFixture.LIMIT);
    for (int i = 0; i < 20; i++) {
      fixture.call().body("text/plain", halfTheBudget).delivered();
    }
  }

  @Test
  void interruptedBodyIsReportedAsCallerError() throws Exception {
    InputStream broken = InputStream.nullInputStream();
    broken.close();

    Refusals.assertRefused(
        FailureCause.VALIDATION_FAILED,
        () -> fixture.call().header("Content-Type", "text/plain").stream(broken, 9).send());
    Refusals.assertRefused(
        FailureCause.VALIDATION_FAILED,
        () -> fixture.call().header("Content-Type", "image/png").stream(broken, 9).send());
  }

  @Test
  void tokensExceedingMemoryAreRejectedBeforeDecryption() {
    fixture.vault.token("big", '"' + "x".repeat(1_000_000) + '"');

    assertThat(
            Refusals.assertRefused(
                FailureCause.BODY_TOO_LARGE,
                () -> fixture.call().body("text/plain", "{{ big | size }}").send()))
        .contains("more memory");

    assertThat(fixture.vault.events()).isEmpty();
    assertThat(fixture.destination.connections()).isZero();
  }

  @Test
  void chunkedTextIsDetokenizedAndSentWithContentLength() throws Exception {
    RawDestination.Received received =
        fixture.call().header("Content-Type", "text/plain").stream(
                new ByteArrayInputStream("{{true}}".getBytes(StandardCharsets.UTF_8)))
            .delivered();

    assertThat(received.headerLines()).contains("Content-Length: 4");
    assertThat(received.bodyText()).isEqualTo("true");
  }
}
