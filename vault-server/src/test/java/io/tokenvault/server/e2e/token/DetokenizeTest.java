package io.tokenvault.server.e2e.token;

import static io.tokenvault.server.e2e.fixture.TenantFixture.rule;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Expressions in JSON, each replaced by what the caller may see. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class DetokenizeTest {

  private static final int MOST = 100;

  private final TenantFixture tenant = RunningVault.shared().newTenant();
  private final Client owner = tenant.owner();

  @BeforeAll
  void createCard() {
    JsonNode card = Json.object("number", "4242424242424242", "expiration_month", 7, "cvc", "7291");
    owner.token(Json.object("type", "card", "id", "tok-card", "data", card));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          `"{{tok-card | json: '$.number'}}"`               | "4242424242424242"
          `"{{ tok-card | json: '$.nothing' }}"`            | null
          `{"a": {"b": "{{ tok-card | json: '$.cvc' | reveal_last: 1 }}"}}` | {"a": {"b": "XXX1"}}
          """)
  void filtersTransformTokenData(String body, String expected) {
    Response response = owner.post("/detokenize", body.replace("`", ""));

    assertThat(response.expect(200).json()).isEqualTo(Json.parse(expected));
  }

  @Test
  void structureIsPreservedAndNamesAreNotReplaced() {
    String body =
        "{\"{{tok-card}}\":[1,null,true,{\"a\":\"{{\",\"b\":\"{{}}\",\"c\":\"{% if"
            + " %}\"}],\"z\":0.50}";

    assertThat(owner.post("/detokenize", body).expect(200).text()).isEqualTo(body);
  }

  @Test
  void eachTokenIsShownUnderTransformOfCaller() {
    String hidden = owner.token("secret", "/hidden/");
    String masked =
        owner.token(
            Json.object("type", "card_number", "data", "4242424242424242")
                .set("containers", Json.of(List.of("/masked/"))));
    String unmasked = owner.token("secret", "/masked/");
    String shown = owner.token(Json.of(List.of(1, "2")), "/shown/");
    Client reader =
        tenant.ruled(
            rule(1, "/shown/", "reveal", "token:read"),
            rule(2, "/masked/", "mask", "token:read"),
            rule(3, "/hidden/", "redact", "token:read"));

    JsonNode response =
        detokenize(
            reader,
            Json.object(
                "shown", "{{" + shown + "}}",
                "masked", "{{" + masked + "}}",
                "unmasked", "{{" + unmasked + "}}",
                "hidden", "{{" + hidden + "}}",
                "text", "<{{" + hidden + "}}|{{" + masked + "}}>",
                "filtered", "{{" + hidden + " | upcase}}",
                "last", "{{" + masked + " | last4}}"));

    assertThat(response.path("shown")).isEqualTo(Json.parse("[1, \"2\"]"));
    assertThat(response.path("masked").asText()).isEqualTo("XXXXXXXXXXXX4242");
    assertThat(response.path("unmasked").isNull()).isTrue();
    assertThat(response.path("hidden").isNull()).isTrue();
    assertThat(response.path("text").asText()).isEqualTo("<|XXXXXXXXXXXX4242>");
    assertThat(response.path("filtered").asText("")).doesNotContainIgnoringCase("secret");
    assertThat(response.path("last").asText()).isEqualTo("4242");
  }

  @Test
  void filtersSeeNoMoreThanTheMask() {
    Client reader = tenant.reader("mask");

    assertThat(detokenize(reader, Json.of("{{tok-card | json: '$.number'}}")).asText())
        .isEqualTo("XXXXXXXXXXXX4242");
    Response code = reader.post("/detokenize", Json.of("{{tok-card | json: '$.cvc'}}"));
    assertThat(code.told()).doesNotContain("7291");
  }

  @Test
  void forbiddenTokensAreNamedAndNothingIsShown() {
    String first = owner.token("planted", "/b/");
    String second = owner.token("planted", "/b/");
    Client reader = tenant.ruled(rule(1, "/a/", "reveal", "token:read"));
    String mine = owner.token("planted", "/a/");

    Response refused =
        reader
            .post(
                "/detokenize",
                Json.of(List.of("{{" + mine + "}}", "{{" + first + "}}", "{{" + second + "}}")))
            .expectProblem(403, "tokens-forbidden");

    assertThat(refused.text("detail")).contains(first, second).doesNotContain(mine);
    assertThat(refused.text()).doesNotContain("planted");
  }

  @Test
  void unknownTokensAreNamedAndNothingIsShown() {
    String foreign = RunningVault.shared().newTenant().owner().token("planted");

    Response refused =
        owner
            .post(
                "/detokenize",
                Json.of(List.of("{{tok-card}}", "{{unknown}}", "{{" + foreign + "}}")))
            .expectProblem(400, "unknown-tokens");

    assertThat(refused.text("detail")).contains("unknown", foreign).doesNotContain("tok-card");
    assertThat(refused.text()).doesNotContain("4242424242424242");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{{tok-card | nonsense}}",
        "{{tok-card | json: '$.number' | append: other}}",
        "{{tok-card | json: '$.number' | alias_preserve_length: 1, 1}}",
      })
  void failingExpressionIsRejectedWithoutRevealingData(String expression) {
    Response refused =
        owner.post("/detokenize", Json.object("a", "x", "b", expression)).expect(400);

    assertThat(refused.told()).doesNotContain("4242424242424242", "7291");
  }

  @Test
  void expressionOutputIsNotEvaluatedAgain() {
    String trap = owner.token("{{tok-card}} {{ tok-card | json: '$.number' }} {% if %}");

    assertThat(detokenize(owner, Json.of("{{" + trap + "}}")).asText())
        .isEqualTo("{{tok-card}} {{ tok-card | json: '$.number' }} {% if %}");
    assertThat(detokenize(owner, Json.of("{{" + trap + " | append: '{{tok-card'}}")).asText())
        .doesNotContain("4242424242424242");
  }

  @Test
  void atMostHundredDifferentTokensMayBeNamed() {
    ObjectNode many = Json.object();
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < MOST; i++) {
      texts.add("x" + i);
    }
    List<String> expressions =
        Json.texts(owner.post("/tokenize", Json.of(texts)).expect(200).json()).stream()
            .map(id -> "{{" + id + "}}{{ " + id + " }}")
            .toList();
    many.set("list", Json.of(expressions));

    assertThat(detokenize(owner, many).path("list").path(MOST - 1).asText()).isEqualTo("x99x99");
    owner
        .post("/detokenize", many.put("more", "{{tok-card}}"))
        .expectProblem(400, "too-many-tokens");
  }

  private static JsonNode detokenize(Client client, JsonNode body) {
    return client.post("/detokenize", body).expect(200).json();
  }
}
