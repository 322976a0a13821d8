package io.tokenvault.server.e2e.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.e2e.fixture.Call;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.ProxyFixture;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Expressions in proxied requests are replaced with token data. */
final class ProxyDetokenizationTest {

  private static final String TEXT = "text/plain";

  @RegisterExtension private static final ProxyFixture fixture = new ProxyFixture();

  private static String expression(String token) {
    return "{{" + token + "}}";
  }

  private String expressionOf(Object data) {
    return expression(fixture.token(data));
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
        assertThat(refused.textWithoutTraceId()).doesNotContain("4242424242424242", "7291");
      }
    }
    assertThat(fixture.destination.count()).isEqualTo(1);
  }

  @Test
  void forbiddenTokensAreRejectedAndNothingIsSent() {
    Client restricted =
        fixture.tenant.applicationWithRules(TenantFixture.rule(1, "/pci/", "reveal", "token:use"));
    Client owner = fixture.tenant.owner();
    String allowed = owner.token("allowed", "/pci/high/");
    String forbidden = owner.token("forbidden-data", "/pii/");
    fixture.call(restricted, "POST", "").body(TEXT, expression(allowed)).send().expect(200);
    assertThat(fixture.receivedBody()).isEqualTo("allowed");
    String both = expression(allowed) + expression(forbidden);
    Response response = fixture.call(restricted, "POST", "").body(TEXT, both).send();
    JsonNode problem = fixture.expectError(response, 403, "tokens-forbidden");
    assertThat(problem.path("detail").asText()).contains(forbidden).doesNotContain(allowed);
    assertThat(response.text()).doesNotContain("forbidden-data");
    assertThat(fixture.destination.count()).isEqualTo(1);
  }

  @Test
  void expressionsToAnonymousProxyAreReplacedOnlyWithKey() {
    String path = "/proxy?svc-proxy-key=" + fixture.anonymousProxy().path("key").asText();
    String body = "[\"" + expressionOf("secret") + "\"]";
    fixture.vault.call("POST", path).json(body).send().expect(200);
    assertThat(fixture.receivedBody()).isEqualTo(body);
    fixture.caller.call("POST", path).json(body).send().expect(200);
    assertThat(fixture.receivedBody()).isEqualTo("[\"secret\"]");
  }
}
