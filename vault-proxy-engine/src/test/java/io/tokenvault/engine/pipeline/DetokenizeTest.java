package io.tokenvault.engine.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.engine.EngineFixture;
import io.tokenvault.engine.RawDestination;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Replacement of expressions in requests. */
class DetokenizeTest {

  private static final String FORM = "application/x-www-form-urlencoded";

  @AutoClose private final EngineFixture fixture = new EngineFixture();

  @BeforeEach
  void start() {
    fixture.vault.token("card", "\"4111 & \\\"1111\\\"\"");
    fixture.vault.token("object", "{\"number\":1.50,\"name\":\"ü\"}");
    fixture.vault.token("true", "true");
    fixture.vault.token("nested", "\"{{card}}\"");
    fixture.vault.token("umlaut", "\"ü€\"");
  }

  private EngineFixture.Call call(String type, String body) {
    return fixture.call().body(type, body);
  }

  /** Sends a request and returns the body that the destination received. */
  private String detokenize(String type, String body) throws InterruptedException {
    return call(type, body).delivered().bodyText();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '¦',
      value = {
        "{\"a\":\"{{card}}\"}                 ¦ {\"a\":\"4111 & \\\"1111\\\"\"}",
        "{\"a\":\"{{nested}}\"}               ¦ {\"a\":\"{{card}}\"}",
        "{\"a\":\"{{}} {% if %}\"}            ¦ {\"a\":\"{{}} {% if %}\"}",
        "{malformed {{ but no expression      ¦ {malformed {{ but no expression"
      })
  void expressionsInJsonAreReplaced(String body, String expected) throws Exception {
    assertThat(detokenize("application/json", body)).isEqualTo(expected);
    assertThat(detokenize("application/vnd.x+json; charset=UTF-8", body)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"a\":{{card}}}", "{\"a\":\"{{card}}\"", "[\"{{card}}\",]", "{{card}}"})
  void malformedJsonWithExpressionsIsRejected(String body) {
    call("application/json", body).assertRefused(FailureCause.VALIDATION_FAILED);
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
  void expressionsInFormsAreReplaced(String body, String expected) throws Exception {
    assertThat(detokenize(FORM, body)).isEqualTo(expected);
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
  void expressionsInTextAreReplaced(String body, String expected) throws Exception {
    assertThat(detokenize("text/plain", body)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16", "utf-16be", "ISO-8859-1", "\"utf-8\""})
  void contentTypeCharsetIsHonored(String charset) throws Exception {
    Charset named = Charset.forName(charset.replace("\"", ""));
    fixture.vault.token("letter", "\"ü\"");

    assertThat(detokenize("text/plain; charset=" + charset, "ä{{letter}}", named)).isEqualTo("äü");
    assertThat(detokenize("application/json;charset=" + charset, "[\"{{umlaut}}\"]", named))
        .isIn("[\"ü€\"]", "[\"ü\\u20ac\"]");
  }

  private String detokenize(String type, String body, Charset charset) throws InterruptedException {
    return new String(
        fixture.call().body(type, body.getBytes(charset)).delivered().body(), charset);
  }

  @ParameterizedTest
  @ValueSource(strings = {"none-such", "?", "", "\"\"", "\"", "a b"})
  void unknownCharsetIsRejectedOnlyWithExpressions(String charset) throws Exception {
    for (String type : List.of("text/plain", "application/json", FORM)) {
      String named = type + "; charset=" + charset;
      call(named, "[\"{{card}}\"]").assertRefused(FailureCause.VALIDATION_FAILED);
      assertThat(detokenize(named, "[\"card\"]")).isEqualTo("[\"card\"]");
    }
  }

  @Test
  void twoContentTypesAreRejected() {
    fixture
        .call()
        .header("Content-Type", "application/xml")
        .body("application/json", "[\"{{card}}\"]")
        .assertRefused(FailureCause.VALIDATION_FAILED);
  }

  @Test
  void textThatCharsetCannotRepresentIsRejected() {
    for (String type : List.of("text/plain", FORM)) {
      call(type + "; charset=us-ascii", "a={{umlaut}}")
          .assertRefused(FailureCause.VALIDATION_FAILED);
    }
    fixture
        .call()
        .body("text/plain", "{{card}} ü".getBytes(StandardCharsets.ISO_8859_1))
        .assertRefused(FailureCause.VALIDATION_FAILED);
  }

  @Test
  void nonTextBytesAreForwardedUnchanged() throws Exception {
    byte[] bytes = {(byte) 0xff, '{', '{', (byte) 0xfe, 0};

    assertThat(fixture.call().body("application/json", bytes).delivered().body()).isEqualTo(bytes);
  }

  @Test
  void expressionsInHeaderValuesAreReplaced() throws Exception {
    RawDestination.Received received =
        fixture
            .get()
            .header("Authorization", "Basic {{true}}:{{ umlaut }}")
            .header("X-{{true}}", "1")
            .delivered();

    assertThat(received.headerLines()).contains("Authorization: Basic true:ü€").hasSize(2);
  }

  @Test
  void expressionsInUnforwardedHeadersAreIgnored() throws Exception {
    fixture
        .get()
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

    fixture.get().header("X-A", "{{split}}").assertRefused(FailureCause.VALIDATION_FAILED);
    assertThat(fixture.destination.connections()).isZero();
  }

  @Test
  void filtersAreAppliedInAllPartsOfRequest() throws Exception {
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
    assertThat(detokenize("text/plain", "{{card|last4}}")).isEqualTo("111\"");
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
    String message = call("text/plain", expression).assertRefused(FailureCause.VALIDATION_FAILED);

    assertThat(message).doesNotContain("unheard_of");
    assertThat(fixture.vault.events()).isEmpty();
    assertThat(fixture.destination.connections()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"{{ card | plus: 1 }}", "{{ object | json: '$.*' }}"})
  void expressionFailingOnItsValueIsRejectedWithoutRevealingIt(String expression) {
    String message = call("text/plain", expression).assertRefused(FailureCause.VALIDATION_FAILED);

    assertThat(message).contains("filter 1 (").doesNotContain("4111", "1.50");
    assertThat(fixture.vault.events()).contains("recorded: Token used");
    assertThat(fixture.destination.connections()).isZero();
  }

  @Test
  void encodedBodyIsNotDetokenized() throws Exception {
    assertThat(
            call("text/plain", "{{card}}")
                .header("Content-Encoding", "gzip")
                .delivered()
                .bodyText())
        .isEqualTo("{{card}}");
  }

  @Test
  void headerDisablesDetokenization() throws Exception {
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
            call("text/plain", "{{true}}")
                .header("svc-proxy-detokenize", "On")
                .delivered()
                .bodyText())
        .isEqualTo("true");
    fixture
        .call()
        .header("SVC-PROXY-DETOKENIZE", "no")
        .assertRefused(FailureCause.VALIDATION_FAILED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{{ }} {{", "{{no id at all"})
  void textPastLimitWithoutExpressionsIsStreamed(String tail) throws Exception {
    String text = "x".repeat(4 * EngineFixture.LIMIT) + tail;

    assertThat(detokenize("text/plain", text)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '¦',
      value = {
        "text/plain       ¦ {{card}}",
        "application/json ¦ \"\\u007b{card}\\u007d",
        "application/xml  ¦ <a>{{card}}</a>",
        "multipart/mixed ¦ {{card}}",
        FORM + " ¦ a=%7b%7bcard%7d%7D"
      })
  void expressionPastLimitAbortsRequest(String type, String tail) {
    call(type, "x".repeat(4 * EngineFixture.LIMIT) + tail)
        .assertRefused(FailureCause.BODY_TOO_LARGE);
    assertThat(fixture.destination.waiting()).isZero();
  }

  @Test
  void onlyTextPartsAreScannedPastLimit() throws Exception {
    String type = "multipart/form-data; boundary=XX";
    String file =
        "--XX\r\nContent-Type: image/png\r\n\r\n"
            + "{{card}}".repeat(EngineFixture.LIMIT)
            + "\r\n--XX\r\n\r\n";

    assertThat(detokenize(type, file + "{{\r\n--XX--")).isEqualTo(file + "{{\r\n--XX--");
    call(type, file + "{{card}}\r\n--XX--").assertRefused(FailureCause.BODY_TOO_LARGE);
    assertThat(fixture.destination.waiting()).isZero();
  }

  @Test
  void expressionInBufferOfTooLargeBodyIsRejectedBeforeSending() throws Exception {
    String largest = "{{card}}" + "x".repeat(EngineFixture.LIMIT - "{{card}}".length());
    call("text/plain", largest + "x").assertRefused(FailureCause.BODY_TOO_LARGE);
    assertThat(fixture.destination.connections()).isZero();
    assertThat(detokenize("text/plain", largest)).doesNotContain("{{card}}");
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

    fixture.call().header("Content-Type", "text/plain").stream(broken, 9)
        .assertRefused(FailureCause.VALIDATION_FAILED);
    fixture.call().header("Content-Type", "image/png").stream(broken, 9)
        .assertRefused(FailureCause.VALIDATION_FAILED);
  }

  @Test
  void tokensExceedingMemoryAreRejectedBeforeDecryption() {
    fixture.vault.token("big", '"' + "x".repeat(1_000_000) + '"');

    assertThat(call("text/plain", "{{ big | size }}").assertRefused(FailureCause.BODY_TOO_LARGE))
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
