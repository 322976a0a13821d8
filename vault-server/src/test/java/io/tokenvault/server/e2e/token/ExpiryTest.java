package io.tokenvault.server.e2e.token;

import static java.time.ZoneOffset.UTC;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.adapters.jdbi.JdbiStores;
import io.tokenvault.ports.usecase.maintenance.DeleteExpired;
import io.tokenvault.server.e2e.fixture.Call;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.DatabaseTables;
import io.tokenvault.server.e2e.fixture.Eventually;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.PlantedSecret;
import io.tokenvault.server.e2e.fixture.ProxyFixture;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Expired tokens, card codes and applications, and the remains of deleted ones in the database. All
 * tests share one wait for the expiry.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class ExpiryTest {

  /** Matches ciphertexts, fingerprints and search indexes in the text of a row. */
  private static final Pattern HASH_OR_CIPHERTEXT = Pattern.compile("[0-9a-f]{48,}");

  /** Long enough for a busy machine to create and use a resource before it expires. */
  private static final Duration LIFETIME = Duration.ofSeconds(4);

  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private static final ObjectNode CARD =
      Json.object("number", "4242424242424242", "expiration_month", 12, "cvc", "7291");

  private final RunningVault vault = RunningVault.shared();
  @AutoClose private final ProxyFixture fixture = new ProxyFixture();
  private final Client owner = fixture.tenant.owner();
  private final Client management = fixture.tenant.management();

  @AutoClose private RunningVault.Node node;
  private String expired;
  private String swept;
  private String lastingCard;
  private String shortCard;
  private Set<String> valuesOfSwept;
  private Client application;
  @AutoClose private DatabaseTables tables;

  @BeforeAll
  void createExpiringResources() {
    node = vault.node(Map.of("VAULT_CARD_CVC_LIFETIME_SECONDS", "4"));
    tables = DatabaseTables.of(vault);
    swept = owner.token(token("swept").put("expires_at", soon()));
    valuesOfSwept = protectedValues(swept);
    expired = owner.token(token("secret").put("id", "expiring").put("expires_at", soon()));
    owner.get("/tokens/" + expired).expect(200);
    application = Client.of(vault, management.post("/applications", expiring(soon())).expect(201));
    application.get("/permissions").expect(200);
    // Prevents a sweep, after which its key would be unknown.
    tables.lockAgainstDeletion("application", "application_id", application.id());
    lastingCard = owner.token(Json.object("type", "card", "data", CARD));
    Response created = onNode().json(Json.object("type", "card", "data", CARD)).send().expect(201);
    assertThat(created.get("data")).isEqualTo(CARD);
    shortCard = created.text("id");
    Eventually.holds(
        "all have expired",
        TIMEOUT,
        () ->
            owner.get("/tokens/" + expired).status() == 404
                && application.get("/permissions").status() == 401
                && !owner.get("/tokens/" + shortCard).get("data").has("cvc"));
  }

  /** Returns a time that a resource expires at, {@link #LIFETIME} from now. */
  private static String soon() {
    return OffsetDateTime.now(UTC).plus(LIFETIME).toString();
  }

  private Call onNode() {
    return node.call("POST", "/tokens").key(owner.key());
  }

  private static ObjectNode token(String data) {
    ObjectNode token = Json.object("type", "token", "data", data);
    return token
        .put("mask", "{{ data | reveal_last: 3 }}")
        .set("search_indexes", Json.of(List.of("{{ data }}", "{{ data | upcase }}")));
  }

  private static ObjectNode expiring(String expiresAt) {
    ObjectNode application = Json.object("name", "child", "type", "expiring");
    return application
        .put("expires_at", expiresAt)
        .set("permissions", Json.of(List.of("token:read")));
  }

  @Test
  @Order(1)
  void expiredTokenIsNotFoundAndItsIdIsFree() {
    owner.patch("/tokens/" + expired, "{\"data\": \"x\"}").expectProblem(404, "not-found");
    owner.delete("/tokens/" + expired).expectProblem(404, "not-found");
    assertThat(owner.get("/tokens?id=" + expired).expect(200).get("data")).isEmpty();
    for (String query : List.of("id:\"" + expired + "\"", "data:secret")) {
      Response found = owner.post("/tokens/search", Json.object("query", query)).expect(200);
      assertThat(found.get("data")).isEmpty();
      assertThat(found.totalItems()).isZero();
    }
    owner.post("/detokenize", Json.of("{{" + expired + "}}")).expectProblem(400, "unknown-tokens");
    fixture.expectErrorBeforeSending(
        fixture.post().json("\"{{" + expired + "}}\"").send(), 400, "unknown-tokens");
    ObjectNode deduplicated = Json.object("type", "token", "data", "secret");
    owner.post("/tokens", deduplicated.put("deduplicate_token", true)).expect(201);
    owner.token(Json.object("type", "token", "data", "new", "id", expired));
    assertThat(owner.get("/tokens/" + expired).expect(200).text("data")).isEqualTo("new");
  }

  @Test
  @Order(1)
  void expiredApplicationIsNotFoundAndUseOfItsKeyIsRecorded() {
    String path = "/applications/" + application.id();

    application.get("/permissions").expectProblem(401, "unauthenticated");
    management.get(path).expectProblem(404, "not-found");
    management.put(path, "{\"name\": \"n\", \"permissions\": [\"token:read\"]}").expect(404);
    management.post(path + "/regenerate").expect(404);
    assertThat(management.get("/applications?id=" + application.id()).get("data")).isEmpty();
    assertThat(fixture.tenant.messages("actor_id=" + application.id()))
        .anySatisfy(message -> assertThat(message).contains("expired", "denied"));
  }

  @Test
  @Order(2)
  void cardCodeIsRemovedAfterItsLifetime() {
    JsonNode withoutCode = CARD.deepCopy().without("cvc");

    assertThat(owner.get("/tokens/" + lastingCard).get("data")).isEqualTo(CARD);
    assertThat(owner.get("/tokens/" + shortCard).get("data")).isEqualTo(withoutCode);
    assertThat(forwardedJson("\"{{" + shortCard + "}}\"").has("cvc")).isFalse();
    assertThat(forwardedJson("\"{{" + shortCard + " | json: '$.cvc'}}\"").isNull()).isTrue();
    for (String property : List.of("mask", "fingerprint_expression")) {
      ObjectNode usesCode = Json.object("type", "card", "data", CARD);
      onNode().json(usesCode.put(property, "{{ data.cvc }}")).send().expectErrorsAt(property);
    }
  }

  private JsonNode forwardedJson(String body) {
    return Json.parse(fixture.forwarded("application/json", body));
  }

  @Test
  @Order(3)
  void sweepRemovesAllRemainsOfExpiredData() throws SQLException {
    tables.close();
    tables = DatabaseTables.of(vault);
    JdbiStores stores = vault.backend().database();

    new DeleteExpired(stores.applications(), stores.tokens(), stores.requestJournal()).run();

    // The server itself may be sweeping them already.
    Eventually.holds("the row is deleted", TIMEOUT, () -> tables.rowsContaining(swept).isEmpty());
    assertErased(swept, valuesOfSwept);
    JsonNode deletion =
        Eventually.get("the deletion is recorded", TIMEOUT, () -> deletionOf(application.id()));
    assertThat(Json.properties(deletion, "actor_type", "entity_type"))
        .containsExactly("system", "application");
  }

  @Tag("long")
  @Test
  @Order(4)
  void serverSweepsExpiredResources() {
    String soon = OffsetDateTime.now(UTC).plus(LIFETIME).toString();
    String token = owner.token(token("x").put("expires_at", soon));
    String child = management.post("/applications", expiring(soon)).expect(201).text("id");

    Eventually.holds(
        "the rows are deleted, which is recorded",
        Duration.ofMinutes(2),
        () -> tables.rowsContaining(token).isEmpty() && deletionOf(child).isPresent());
  }

  private Optional<JsonNode> deletionOf(String id) {
    JsonNode found = fixture.tenant.log("operation=delete&entity_id=" + id);
    return found.isEmpty() ? Optional.empty() : Optional.of(found.get(0));
  }

  @Test
  @Order(4)
  void deletedAndReplacedDataIsErasedAndNoDataIsStoredInPlaintext() {
    String id = owner.token(token("planted-secret"));
    for (PlantedSecret planted :
        List.of(
            new PlantedSecret("data", "planted-secret"),
            new PlantedSecret("index", "PLANTED-SECRET"),
            new PlantedSecret("mask", "reveal_last: 3"))) {
      assertThat(tables.rowsContaining(id).values())
          .isNotEmpty()
          .allSatisfy(rows -> assertThat(planted.findIn(rows.toString())).isEmpty());
    }
    Set<String> values = protectedValues(id);
    assertThat(values).contains(owner.get("/tokens/" + id).text("fingerprint"));
    assertThat(values).hasSizeGreaterThanOrEqualTo(5);

    String change =
        "{\"data\": \"other\", \"mask\": null, \"search_indexes\": [\"{{ data | size }}\"]}";
    owner.patch("/tokens/" + id, change).expect(200);

    assertThat(values).allSatisfy(each -> assertThat(tables.rowsContaining(each)).isEmpty());
    Set<String> newValues = protectedValues(id);
    owner.delete("/tokens/" + id).expect(204);
    assertErased(id, newValues);
  }

  private void assertErased(String id, Set<String> values) {
    assertThat(tables.rowsContaining(id)).isEmpty();
    assertThat(values)
        .isNotEmpty()
        .allSatisfy(each -> assertThat(tables.rowsContaining(each)).isEmpty());
  }

  private Set<String> protectedValues(String id) {
    return tables.rowsContaining(id).values().stream()
        .flatMap(List::stream)
        .flatMap(row -> HASH_OR_CIPHERTEXT.matcher(row).results())
        .map(MatchResult::group)
        .collect(Collectors.toSet());
  }
}
