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
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Making many tokens at once, in the shape of what is sent. */
final class TokenizeTest {

  private static final int MOST = 100;

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
    shows(response.path("name").asText(), "Ada");
    shows(response.path("list").path(0).asText(), "Bob");
    shows(response.path("list").path(1).path(0).asText(), "Cy");
    shows(response.path("type").asText(), "just a text");
    assertThat(count()).isEqualTo(4);
  }

  private void shows(String id, String data) {
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"type": "card", "data": {"number": "4242424242424241"}} | data.number
          {"a": "x", "b": {"c": [{"type": "robot", "data": "x"}]}} | b.c[0].type
          `{"a": "x", "b": {"type": "token", "data": "x", "mask": "{{ data | no }}"}}` | b.mask
          """)
  void oneInvalidTokenRejectsAll(String body, String path) {
    assertThat(tokenize(body).expectErrorsAt(path).text()).doesNotContain("4242424242424241");

    assertThat(count()).isZero();
  }

  @Test
  void oneDuplicateIdRejectsAll() {
    owner.token(Json.object("type", "token", "data", "x", "id", "taken"));

    tokenize("[\"a\", {\"type\": \"token\", \"data\": \"x\", \"id\": \"taken\"}]")
        .expectProblem(409, "token-id-taken");
    tokenize(
            """
            [{"type": "token", "data": "x", "id": "twice"},
             {"type": "token", "data": "y", "id": "twice"}]\
            """)
        .expectProblem(409, "token-id-taken");

    assertThat(count()).isEqualTo(1);
  }

  @Test
  void oneForbiddenTokenRejectsAll() {
    Client creator = tenant.ruled(rule(1, "/general/", "reveal", "token:create"));
    ObjectNode elsewhere =
        Json.object("type", "token", "data", "x", "containers", List.of("/other/"));

    creator
        .post("/tokenize", Json.object("a", "x", "b", elsewhere))
        .expectProblem(403, "forbidden");

    assertThat(count()).isZero();
    creator.post("/tokenize", Json.object("a", "x")).expect(200);
  }

  @Test
  void atMostHundredAreCreated() {
    Response most = owner.post("/tokenize", Json.of(Collections.nCopies(MOST, "x"))).expect(200);

    assertThat(Json.texts(most.json())).hasSize(MOST).doesNotHaveDuplicates();
    owner
        .post("/tokenize", Json.of(Collections.nCopies(MOST + 1, "x")))
        .expectProblem(400, "too-many-tokens");
    assertThat(count()).isEqualTo(MOST);
  }

  private Response tokenize(String body) {
    return owner.post("/tokenize", body);
  }

  private int count() {
    return owner.get("/tokens").totalItems();
  }
}
