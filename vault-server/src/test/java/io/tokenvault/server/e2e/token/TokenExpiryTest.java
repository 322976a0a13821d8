package io.tokenvault.server.e2e.token;

import static java.time.ZoneOffset.UTC;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Eventually;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.ProxyFixture;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tokens, and card codes, whose time is over. */
@Execution(ExecutionMode.CONCURRENT)
final class TokenExpiryTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** Long enough for a busy machine to make something before its time is over. */
  private static final Duration LIFE = Duration.ofSeconds(5);

  private static final ObjectNode CARD =
      Json.object("number", "4242424242424242", "expiration_month", 12, "cvc", "7291");

  private final ProxyFixture fixture = new ProxyFixture();
  private final TenantFixture tenant = fixture.tenant;
  private final Client owner = tenant.owner();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void anExpiredTokenIsNowhereToBeFound() {
    String soon = OffsetDateTime.now(UTC).plus(LIFE).toString();
    String id =
        owner.token(
            Json.object("type", "token", "data", "secret", "expires_at", soon)
                .set("search_indexes", Json.of(List.of("{{ data }}"))));

    Eventually.holds(
        "the token is not found", PATIENCE, () -> owner.get("/tokens/" + id).status() == 404);

    owner.patch("/tokens/" + id, "{\"data\": \"x\"}").expectProblem(404, "not-found");
    owner.delete("/tokens/" + id).expectProblem(404, "not-found");
    for (String query : List.of("id:\"" + id + "\"", "data:secret", "NOT id:nothing")) {
      Response found = owner.post("/tokens/search", Json.object("query", query)).expect(200);
      assertThat(found.get("data")).isEmpty();
      assertThat(found.get("pagination").path("total_items").asInt()).isZero();
    }
    owner.post("/detokenize", Json.of("{{" + id + "}}")).expectProblem(400, "unknown-tokens");
    fixture.refusedBeforeAnythingLeft(
        fixture.post().json("\"{{" + id + "}}\"").send(), 400, "unknown-tokens");
  }

  @Test
  void theIdOfAnExpiredTokenIsFreeAtOnce() {
    String soon = OffsetDateTime.now(UTC).plus(LIFE).toString();
    owner.token(Json.object("type", "token", "data", "x", "id", "again", "expires_at", soon));
    Eventually.holds("it expired", PATIENCE, () -> owner.get("/tokens/again").status() == 404);

    owner.token(Json.object("type", "token", "data", "new", "id", "again"));

    assertThat(owner.get("/tokens/again").expect(200).text("data")).isEqualTo("new");
  }

  @Test
  void anExpiryCanBePutOffAndTakenAway() {
    OffsetDateTime later = OffsetDateTime.now(UTC).plusDays(1).withNano(0);
    String id =
        owner.token(
            Json.object("type", "token", "data", "x", "expires_at", later.plusDays(1).toString()));

    Response changed = owner.patch("/tokens/" + id, Json.object("expires_at", later.toString()));

    assertThat(OffsetDateTime.parse(changed.expect(200).text("expires_at"))).isEqualTo(later);
    Response endless = owner.patch("/tokens/" + id, "{\"expires_at\": null}").expect(200);
    assertThat(endless.json().has("expires_at")).isFalse();
  }

  @Test
  void aCardsCodeStaysUnlessItIsGivenALifetime() {
    String id = owner.token(Json.object("type", "card", "data", CARD));

    assertThat(owner.get("/tokens/" + id).get("data")).isEqualTo(CARD);
  }

  @Test
  void aCardsCodeIsGoneAfterItsTime() {
    try (RunningVault.Node node =
        RunningVault.shared().node(Map.of("VAULT_CARD_CVC_LIFETIME_SECONDS", "3"))) {
      Response created =
          node.call("POST", "/tokens")
              .key(owner.key())
              .json(Json.object("type", "card", "data", CARD))
              .send()
              .expect(201);
      assertThat(created.get("data")).isEqualTo(CARD);
      String id = created.text("id");

      Eventually.holds(
          "the code is gone",
          PATIENCE,
          () -> !owner.get("/tokens/" + id).expect(200).get("data").has("cvc"));

      assertThat(owner.get("/tokens/" + id).get("data")).isEqualTo(CARD.deepCopy().without("cvc"));
      assertThat(sent("\"{{" + id + "}}\"").has("cvc")).isFalse();
      assertThat(sent("\"{{" + id + " | json: '$.cvc'}}\"").isNull()).isTrue();
      assertThat(owner.post("/detokenize", Json.of("{{" + id + "}}")).expect(200).text())
          .doesNotContain("7291");
    }
  }

  @Test
  void masksIndexesAndFingerprintsDoNotSeeACodeThatWillGo() {
    try (RunningVault.Node node =
        RunningVault.shared().node(Map.of("VAULT_CARD_CVC_LIFETIME_SECONDS", "600"))) {
      for (String property : List.of("mask", "fingerprint_expression")) {
        node.call("POST", "/tokens")
            .key(owner.key())
            .json(Json.object("type", "card", "data", CARD, property, "{{ data.cvc }}"))
            .send()
            .expectErrorsAt(property);
      }
      String id =
          node.call("POST", "/tokens")
              .key(owner.key())
              .json(Json.object("type", "card", "data", CARD))
              .send()
              .expect(201)
              .text("id");
      assertThat(owner.get("/tokens/" + id).get("data")).isEqualTo(CARD);
    }
  }

  private JsonNode sent(String body) {
    fixture.post().body("application/json", body).send().expect(200);
    return Json.parse(fixture.receivedBody());
  }
}
