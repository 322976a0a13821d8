package io.tokenvault.server.e2e.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.e2e.fixture.Call;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.ProxyFixture;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What becomes of expressions: rules 4 and 5 of proxy invocation, decisions.md sections 5 and 6.
 */
final class ProxyDetokenizationTest {

  private static final String JSON = "application/json";
  private static final String FORM = "application/x-www-form-urlencoded";
  private static final String TEXT = "text/plain";

  @RegisterExtension private static final ProxyFixture fixture = new ProxyFixture();

  private static String expression(String token) {
    return "{{" + token + "}}";
  }

  private String expressionOf(Object data) {
    return expression(fixture.token(data));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"\\u00e9\\n\\\"\\\\ \\ud83d\\ude00\"",
        "12345678901234567890.123456789",
        "{\"number\":\"4242\",\"month\":12}"
      })
  void wholeStringBecomesTokenDataWithItsType(String data) {
    String passed = fixture.passed(JSON, "{\"a\":\"" + expressionOf(Json.parse(data)) + "\"}");
    assertThat(Json.parse(passed)).isEqualTo(Json.parse("{\"a\":" + data + "}"));
  }

  @Test
  void insideALongerStringTheTextIsEscaped() {
    String text = expressionOf("a\"b\\c\nd\u0001é");
    String number = expressionOf(42);
    String object = expressionOf(Json.object("k", "v\""));
    String passed =
        fixture.passed(
            JSON, "{\"a\":\"<" + text + "|" + number + "|" + object + "> " + text + "\"}");
    assertThat(Json.parse(passed).path("a").asText())
        .isEqualTo("<a\"b\\c\nd\u0001é|42|{\"k\":\"v\\\"\"}> a\"b\\c\nd\u0001é");
  }

  @Test
  void onlyStringsWithExpressionsChange() {
    String token = expressionOf("secret");
    String before =
        " {\n\t\"z\" : 1.0E+2 , \"\\u0061\":\"\\u00e9\\/\", \"z\":-0,\"n\":1e400,  \"t\":\"";
    String after = "\" , \"x\": [ ] ,\"{{}}\":\"{{ }}{% if %}{{open\" }\r\n ";
    assertThat(fixture.passed(JSON, before + token + after))
        .isEqualTo(before.stripTrailing() + "secret" + after);
  }

  @Test
  void tokenDataIsNotEvaluatedAgain() {
    String inner = expressionOf("inner");
    String outer = expressionOf("<" + inner + ">");
    assertThat(fixture.passed(TEXT, outer)).isEqualTo("<" + inner + ">");
    assertThat(fixture.passed(JSON, "[\"" + outer + "\"]")).isEqualTo("[\"<" + inner + ">\"]");
  }

  @Test
  void malformedJsonPassesUnlessItContainsExpression() {
    assertThat(fixture.passed(JSON, "{\"a\": oops, {{}}")).isEqualTo("{\"a\": oops, {{}}");
    int count = fixture.destination.count();
    for (String body : List.of("{\"a\":\"EXPR\"", "[\"EXPR\"] x", "EXPR")) {
      String filled = body.replace("EXPR", expressionOf("secret"));
      Response response = fixture.post().body(JSON, filled).send();
      fixture.refused(response, 400, "validation-failed");
      assertThat(response.text()).doesNotContain("secret");
    }
    assertThat(fixture.destination.count()).isEqualTo(count);
  }

  @Test
  void inFormsDataIsPercentEncoded() {
    String data = "a b&c=d+é/%41\"";
    String token = fixture.token(data);
    String passed =
        fixture.passed(
            FORM, "x=1+2%26&y=%7B%7b" + token + "%7d%7D&z=<" + expression(token) + ">&w");
    assertThat(passed).startsWith("x=1+2%26&y=").endsWith(">&w").contains("&z=<");
    List<String> values =
        List.of(passed.split("&")).stream()
            .map(pair -> URLDecoder.decode(pair, StandardCharsets.UTF_8))
            .toList();
    assertThat(values).containsExactly("x=1 2&", "y=" + data, "z=<" + data + ">", "w");
  }

  @Test
  void dataInPlainTextIsNotEscaped() {
    String data = "\"<é>&\n\\";
    String passed = fixture.passed(TEXT + "; charset=UTF-8", "[" + expressionOf(data) + "]");
    assertThat(passed).isEqualTo("[" + data + "]");
    assertThat(fixture.passed("text/csv", "a," + expressionOf(true))).isEqualTo("a,true");
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/octet-stream", "image/png"})
  void otherBodiesPassByteForByte(String contentType) {
    String body = expressionOf("secret") + "\u0000";
    assertThat(fixture.passed(contentType, body)).isEqualTo(body);
  }

  @Test
  void headerValuesAreReplaced() {
    String token = expressionOf("s3cr3t");
    fixture
        .post()
        .header("Authorization", "Bearer " + token)
        .header("X-Two", token + ":" + token)
        .header("X-None", "{{}}")
        .send()
        .expect(200);
    var headers = fixture.destination.received().getHeaders();
    assertThat(headers.get("Authorization")).isEqualTo("Bearer s3cr3t");
    assertThat(headers.get("X-Two")).isEqualTo("s3cr3t:s3cr3t");
    assertThat(headers.get("X-None")).isEqualTo("{{}}");
  }

  @Test
  void hundredTokensAreAcceptedAndOneMoreIsRejected() {
    List<String> expressions = new ArrayList<>();
    for (int i = 0; i < 101; i++) {
      expressions.add(expressionOf(i));
    }
    String hundred = String.join(",", expressions.subList(0, 100));
    assertThat(fixture.passed(TEXT, hundred)).startsWith("0,1,2,").endsWith(",98,99");
    int count = fixture.destination.count();
    fixture.refused(
        fixture.post().body(TEXT, hundred + expressions.get(100)).send(), 400, "too-many-tokens");
    fixture.refused(
        fixture.post().header("X-One", expressions.get(100)).body(TEXT, hundred).send(),
        400,
        "too-many-tokens");
    assertThat(fixture.destination.count()).isEqualTo(count);
  }

  @Test
  void unknownTokensAreAllNamedAndNothingIsSent() {
    String known = fixture.token("secret");
    String other = fixture.vault.newTenant().owner().token("of another tenant");
    String deleted = fixture.tenant.owner().token("deleted");
    fixture.tenant.owner().delete("/tokens/" + deleted).expect(204);
    List<String> unknown = List.of("no-such-1", UUID.randomUUID().toString(), other, deleted);
    String body =
        unknown.stream().map(ProxyDetokenizationTest::expression).collect(Collectors.joining());
    JsonNode problem =
        fixture.refusedBeforeAnythingLeft(
            fixture.post().body(TEXT, body + expression(known)).send(), 400, "unknown-tokens");
    assertThat(problem.path("detail").asText()).contains(unknown).doesNotContain(known);
  }

  @Test
  void inXmlDataIsEscapedAsItsPlaceNeeds() {
    String token = expressionOf("<a b=\"c\">&");
    String form =
        "<?xml version=\"1.0\"?>\r\n<a b=\"%s\"><![CDATA[%s]]>%s<!-- {{no-such}} --></a >";
    assertThat(fixture.passed("application/soap+xml", form.formatted(token, token, token)))
        .isEqualTo(
            form.formatted(
                "&lt;a b=&quot;c&quot;&gt;&amp;", "<a b=\"c\">&", "&lt;a b=\"c\"&gt;&amp;"));
    String body = "<a><![CDATA[" + expressionOf("secret]]>") + "]]></a>";
    fixture.refused(fixture.post().body("application/xml", body).send(), 400, "validation-failed");
  }

  @Test
  void inMultipartFieldsAreReplacedAndFilesAreNot() {
    String type = "multipart/form-data; boundary=----Form7MA4";
    String form =
        "------Form7MA4\r\nContent-Disposition: form-data; name=\"field\"\r\n\r\n%s"
            + "\r\n------Form7MA4\r\nContent-Type: application/json\r\n\r\n{\"a\":\"%s\"}"
            + "\r\n------Form7MA4\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f\"\r\n"
            + "Content-Type: application/octet-stream\r\n\r\n{{no-such}}\u0000"
            + "\r\n------Form7MA4--\r\n";
    String token = expressionOf("1 \"2\"");
    assertThat(fixture.passed(type, form.formatted(token, token)))
        .isEqualTo(form.formatted("1 \"2\"", "1 \\\"2\\\""));
    String part =
        "\r\n------Form7MA4\r\nContent-Disposition: form-data; name=\"admin\"\r\n\r\ntrue";
    Response response =
        fixture.post().body(type, form.formatted(expressionOf("secret" + part), "")).send();
    fixture.refused(response, 400, "validation-failed");
    assertThat(response.text()).doesNotContain("secret");
  }

  @Test
  void filtersWorkInBodiesAndHeaders() {
    String card =
        fixture.caller.token(
            Json.parse(
                """
                {"type": "card", "data":
                  {"number": "4242424242424242", "expiration_month": 7, "cvc": "7291"}}\
                """));
    String filtered = "{{" + card + " | json: '$.number' | reveal_last: 4, '*'}}";
    String month = "{{" + card + " | json: '$.expiration_month'}}";
    fixture
        .post()
        .header("Authorization", "Basic {{" + card + " | json: '$.cvc' | to_base64 }}")
        .json(Json.object("number", filtered, "m", month))
        .send()
        .expect(200);
    var received = fixture.destination.received();
    assertThat(received.getHeaders().get("Authorization")).isEqualTo("Basic NzI5MQ==");
    assertThat(Json.parse(ProxyFixture.receivedBody(received)))
        .isEqualTo(Json.object("number", "************4242", "m", 7));
    for (String failing :
        List.of("nonsense", "json: '$.cvc' | to_boolean", "json: '$.number' | append: other")) {
      String expression = "{{" + card + " | " + failing + "}}";
      for (Call call :
          List.of(
              fixture.post().body(TEXT, expression), fixture.post().header("X-A", expression))) {
        Response refused = call.send().expect(400);
        assertThat(Json.names(refused.json())).containsExactly("proxy_error");
        assertThat(refused.told()).doesNotContain("4242424242424242", "7291");
      }
    }
    assertThat(fixture.destination.count()).isEqualTo(1);
  }

  @Test
  void forbiddenTokensAreRejectedAndNothingIsSent() {
    Client restricted = fixture.tenant.ruled(TenantFixture.rule(1, "/pci/", "reveal", "token:use"));
    Client owner = fixture.tenant.owner();
    String allowed = owner.token("allowed", "/pci/high/");
    String forbidden = owner.token("forbidden-data", "/pii/");
    fixture.call(restricted, "POST", "").body(TEXT, expression(allowed)).send().expect(200);
    assertThat(fixture.receivedBody()).isEqualTo("allowed");
    String both = expression(allowed) + expression(forbidden);
    Response response = fixture.call(restricted, "POST", "").body(TEXT, both).send();
    JsonNode problem = fixture.refused(response, 403, "tokens-forbidden");
    assertThat(problem.path("detail").asText()).contains(forbidden).doesNotContain(allowed);
    assertThat(response.text()).doesNotContain("forbidden-data");
    assertThat(fixture.destination.count()).isEqualTo(1);
  }

  @Test
  void expressionsOfAnonymousCallerStayLiteral() {
    String key = fixture.anonymousProxy().path("key").asText();
    String body = "{\"a\":\"" + expressionOf("secret") + "\", {{broken";
    fixture
        .vault
        .call("POST", "/proxy")
        .through(key)
        .header("X-Data", "{{no-such-token}}")
        .json(body)
        .send()
        .expect(200);
    var received = fixture.destination.received();
    assertThat(ProxyFixture.receivedBody(received)).isEqualTo(body);
    assertThat(received.getHeaders().get("X-Data")).isEqualTo("{{no-such-token}}");
  }

  @Test
  void withAKeyExpressionsToAnAnonymousProxyAreReplaced() {
    String key = fixture.anonymousProxy().path("key").asText();
    fixture
        .caller
        .call("POST", "/proxy?svc-proxy-key=" + key)
        .json("[\"" + expressionOf("secret") + "\"]")
        .send()
        .expect(200);
    assertThat(fixture.receivedBody()).isEqualTo("[\"secret\"]");
  }

  @Test
  void detokenizationCanBeSwitchedOff() {
    String token = expressionOf("secret");
    String body = "{\"a\":\"" + token + "\" {{no-such}}";
    fixture
        .call("POST", "/x?q=%7B%7Bno-such%7D%7D")
        .header("SVC-PROXY-DETOKENIZE", "off")
        .header("X-Data", token)
        .json(body)
        .send()
        .expect(200);
    var received = fixture.destination.received();
    assertThat(ProxyFixture.receivedBody(received)).isEqualTo(body);
    assertThat(received.getTarget()).isEqualTo("/x?q=%7B%7Bno-such%7D%7D");
    assertThat(received.getHeaders().get("X-Data")).isEqualTo(token);
    assertThat(received.getHeaders().get("SVC-PROXY-DETOKENIZE")).isNull();
  }
}
