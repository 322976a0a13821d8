package io.tokenvault.server.e2e.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.e2e.fixture.Call;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.ProxyFixture;
import io.tokenvault.server.e2e.fixture.Response;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import mockwebserver3.RecordedRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters in expressions that go through the proxy. */
final class ProxyExpressionsTest {

  private final ProxyFixture fixture = new ProxyFixture();
  private final String card =
      fixture.caller.token(
          Json.object(
              "type",
              "card",
              "id",
              "tok-card",
              "data",
              Json.object(
                  "number",
                  "4242424242424242",
                  "expiration_month",
                  7,
                  "expiration_year",
                  2031,
                  "cvc",
                  "7291")));

  @AfterEach
  void close() {
    fixture.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          `"{{tok-card | json: '$.number'}}"`                              | "4242424242424242"
          `{"month": "{{ tok-card | json: '$.expiration_month' }}"}`       | {"month": 7}
          `"{{ tok-card | json: '$.expiration_month' | to_string | pad_left: 2, '0' }}/\
          {{ tok-card | json: '$.expiration_year' | to_string | slice: 2, 2 }}"` | "07/31"
          `"{{ tok-card | json: '$.expiration_month' | to_string }}"`      | "7"
          `"{{ tok-card | json: '$.cvc' | hmac: 'sha-256', 'key' }}"`      | \
          "317d300987f0368c6369ba101c1001f2ced382f2bafbdbf6433e11e6d33cf5b9"
          `"{{ tok-card | stringify }}"`                                   | \
          "{\\"number\\":\\"4242424242424242\\",\\"expiration_month\\":7,\\"expiration_year\\":2031,\\"cvc\\":\\"7291\\"}"
          """)
  void filtersWorkInJson(String body, String expected) {
    assertThat(Json.parse(fixture.passed("application/json", body)))
        .isEqualTo(Json.parse(expected));
  }

  @Test
  void filtersWorkInAForm() {
    assertThat(
            fixture.passed(
                "application/x-www-form-urlencoded",
                "number=" + encoded("{{ tok-card | json: '$.number' | slice: 0, 4 }}") + "&b=1"))
        .isEqualTo("number=4242&b=1");
  }

  @Test
  void filtersWorkInText() {
    assertThat(
            fixture.passed("text/plain", "<{{tok-card | json: '$.number' | reveal_last: 4, '*'}}>"))
        .isEqualTo("<************4242>");
  }

  @Test
  void filtersWorkInHeaders() {
    fixture
        .call("GET", "/")
        .header("Authorization", "Basic {{ tok-card | json: '$.cvc' | to_base64 }}")
        .send()
        .expect(200);

    assertThat(fixture.destination.received().getHeaders().get("Authorization"))
        .isEqualTo("Basic NzI5MQ==");
  }

  @Test
  void filtersWorkInPathAndQuery() {
    String expression = encoded("{{ tok-card | json: '$.number' | last4 }}").replace("+", "%20");

    fixture.call("GET", "/cards/" + expression + "?last=" + expression + "&b=1").send().expect(200);

    RecordedRequest received = fixture.destination.received();
    assertThat(received.getUrl().encodedPath()).isEqualTo("/cards/4242");
    assertThat(received.getUrl().encodedQuery()).isEqualTo("last=4242&b=1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{{tok-card | nonsense}}",
        "{{tok-card | json: '$.*'}}",
        "{{tok-card | json: '$.number' | append: other}}",
        "{{tok-card | json: '$.cvc' | to_boolean}}",
        "{{tok-card | json: '$.number' | slice}}",
        "{{tok-card | json: '$.number' | alias_preserve_format: 1, 1}}",
      })
  void anExpressionThatFailsMeansThatNothingIsSent(String expression) {
    for (Call call :
        new Call[] {
          fixture.post().json(Json.object("a", "{{tok-card}}", "b", expression)),
          fixture.post().body("text/plain", expression),
          fixture.post().header("X-Card", expression)
        }) {
      Response refused = call.send();
      assertThat(refused.status()).as("%s", refused).isEqualTo(400);
      assertThat(refused.get("proxy_error").path("status").asInt()).isEqualTo(400);
      assertThat(refused.told()).doesNotContain("4242424242424242", "7291");
    }
    assertThat(fixture.destination.count()).isZero();
  }

  @Test
  void whatAnExpressionPrintsIsNotEvaluatedAgain() {
    String trap = fixture.token("{{tok-card}}");

    assertThat(
            fixture.passed(
                "text/plain", "{{" + trap + "}} {{" + trap + " | append: '{{' | downcase}}"))
        .isEqualTo("{{tok-card}} {{tok-card}}{{");
  }

  @Test
  void aPlainIdStillGivesTheWholeValue() {
    assertThat(
            Json.parse(fixture.passed("application/json", "[\"{{" + card + "}}\"]"))
                .path(0)
                .path("expiration_year")
                .asInt())
        .isEqualTo(2031);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
