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
import java.util.List;
import org.junit.jupiter.api.Test;

/** Replaces data by tokens in bodies of any structure, and tokens by data. */
final class TokenizeTest {

  private final TenantFixture tenant = RunningVault.shared().newTenant();
  private final Client owner = tenant.owner();

  @Test
  void stringsBecomeIdsAndStructureIsPreserved() {
    JsonNode response =
        tokenize(
                """
                {"name": "Ada", "list": ["Bob", ["Cy"]], "n": 42, "t": true, "f": 0.50,
                 "nil": null, "none": {}, "type": "just a text"}\
                """)
            .expect(200)
            .json();

    assertThat(Json.names(response))
        .containsExactly("name", "list", "n", "t", "f", "nil", "none", "type");
    assertThat(response.path("n").asInt()).isEqualTo(42);
    assertThat(response.path("t").asBoolean()).isTrue();
    assertThat(response.path("nil").isNull()).isTrue();
    assertThat(response.path("none")).isEmpty();
    assertToken(response.path("name").asText(), "Ada");
    assertToken(response.path("list").path(0).asText(), "Bob");
    assertToken(response.path("list").path(1).path(0).asText(), "Cy");
    assertToken(response.path("type").asText(), "just a text");
    assertThat(count()).isEqualTo(4);
  }

  private void assertToken(String id, String data) {
    Response token = owner.get("/tokens/" + id).expect(200);
    assertThat(token.text("type")).isEqualTo("token");
    assertThat(token.text("data")).isEqualTo(data);
    assertThat(Json.texts(token.get("containers"))).containsExactly("/general/high/");
  }

  @Test
  void objectsWithTypeAndDataBecomeTokens() {
    JsonNode response =
        tokenize(
                """
                {"card": {"type": "card", "data": {"number": "4242424242424242"},
                          "metadata": {"k": "v"}, "id": "{{ data.number | alias_preserve_format: 0, 4 }}"},
                 "list": [{"type": "token", "data": {"type": "card", "data": "x"}, "mask": "m"}]}\
                """)
            .expect(200)
            .json();

    JsonNode card = response.path("card");
    assertThat(card.path("id").asText()).matches("[0-9]{12}4242");
    assertThat(owner.get("/tokens/" + card.path("id").asText()).expect(200).json()).isEqualTo(card);
    JsonNode token = response.path("list").path(0);
    assertThat(token.path("data")).isEqualTo(Json.object("type", "card", "data", "x"));
    assertThat(owner.get("/tokens/" + token.path("id").asText()).expect(200).json())
        .isEqualTo(token);
    assertThat(count()).isEqualTo(2);
  }

  @Test
  void errorsAreReportedByPathAndNothingIsCreated() {
    tokenize(
            """
            {"good": {"type": "token", "data": 1},
             "a": {"b": [0, {"type": "card_number", "data": "12"}]},
             "c": [{"type": "x", "data": 1, "metadata": {"k": 2}, "y": 1}]}\
            """)
        .expectErrorsAt("a.b[1].data", "c[0].type", "c[0].metadata.k", "c[0].y");

    assertThat(count()).isZero();
  }

  @Test
  void oneForbiddenTokenRejectsAll() {
    Client creator = tenant.applicationWithRules(rule(1, "/general/", "reveal", "token:create"));
    ObjectNode elsewhere =
        Json.object("type", "token", "data", "x", "containers", List.of("/other/"));

    creator
        .post("/tokenize", Json.object("a", "x", "b", elsewhere))
        .expectProblem(403, "forbidden");

    assertThat(count()).isZero();
    creator.post("/tokenize", Json.object("a", "x")).expect(200);
  }

  private Response tokenize(String body) {
    return owner.post("/tokenize", body);
  }

  private int count() {
    return owner.get("/tokens").totalItems();
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
        tenant.applicationWithRules(
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

  private static JsonNode detokenize(Client client, JsonNode body) {
    return client.post("/detokenize", body).expect(200).json();
  }
}
