package io.tokenvault.server.e2e.http;

import static io.tokenvault.server.e2e.fixture.Call.IDEMPOTENCY_KEY;
import static io.tokenvault.server.e2e.fixture.Call.IDEMPOTENCY_REPEAT;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.usecase.key.ManageKeys;
import io.tokenvault.server.e2e.fixture.Call;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.ConcurrentRequests;
import io.tokenvault.server.e2e.fixture.Eventually;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.Tables;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Changes that their clients ask for again. */
@Execution(ExecutionMode.CONCURRENT)
final class IdempotencyTest {

  private final RunningVault vault = RunningVault.shared();
  private final TenantFixture tenant = vault.newTenant();
  private final Client owner = tenant.owner();

  private static ObjectNode token(Object data) {
    return Json.object("type", "token", "data", data);
  }

  private static Call create(Client client, String key, Object data) {
    return client.call("POST", "/tokens").header(IDEMPOTENCY_KEY, key).json(token(data));
  }

  private static void expectRepeat(Response repeat, Response first) {
    repeat.expect(first.status());
    assertThat(repeat.text()).isEqualTo(first.text());
    assertThat(repeat.header("Location")).isEqualTo(first.header("Location"));
    assertThat(repeat.header("Content-Type")).isEqualTo(first.header("Content-Type"));
    assertThat(first.header(IDEMPOTENCY_REPEAT)).isEmpty();
    assertThat(repeat.header(IDEMPOTENCY_REPEAT)).contains("true");
  }

  private int count(Client client) {
    return client.get("/tokens").expect(200).get("pagination").path("total_items").asInt();
  }

  private List<String> messages(String entityId) {
    return StreamSupport.stream(tenant.log().spliterator(), false)
        .filter(entry -> entry.path("entity_id").asText().equals(entityId))
        .map(entry -> entry.path("message").asText())
        .toList();
  }

  @Test
  void aRepeatIsAnsweredAsBeforeAndMakesNothing() {
    Response first = create(owner, "order-1", "data").send().expect(201);

    Response repeat = create(owner, "order-1", "data").send();

    expectRepeat(repeat, first);
    assertThat(count(owner)).isEqualTo(1);
    assertThat(messages(first.text("id")))
        .contains("Token created", "Answer to a repeated request given again");
    assertThat(Collections.frequency(messages(first.text("id")), "Token created")).isEqualTo(1);
  }

  @Test
  void everyChangeCanBeRepeated() {
    String id = owner.token("before");
    JsonNode proxy = tenant.proxy("https://payments.test");
    String application = tenant.application("private", "token:read").id();
    ObjectNode proxyBody = Json.object("name", "again", "destination_url", "https://payments.test");
    ObjectNode applicationBody =
        Json.object("name", "renamed", "permissions", List.of("token:read"));
    List<Callable<Call>> calls =
        List.of(
            () -> owner.call("PATCH", "/tokens/" + id).json("{\"data\": \"after\"}"),
            () -> owner.call("POST", "/tokenize").json("{\"a\": \"one\", \"b\": [\"two\"]}"),
            () -> tenant.management().call("POST", "/proxies").json(proxyBody),
            () ->
                tenant
                    .management()
                    .call("PUT", "/proxies/" + proxy.path("id").asText())
                    .json(proxyBody),
            () ->
                tenant
                    .management()
                    .call("PUT", "/applications/" + application)
                    .json(applicationBody));
    for (Callable<Call> call : calls) {
      String key = UUID.randomUUID().toString();
      Response first = sent(call, key);
      assertThat(first.status()).as("%s", first).isBetween(200, 201);

      expectRepeat(sent(call, key), first);
    }
    assertThat(messages(proxy.path("id").asText())).containsOnlyOnce("Proxy updated");
    assertThat(messages(application)).containsOnlyOnce("Application updated");
    assertThat(messages(id)).containsOnlyOnce("Token updated");
  }

  private static Response sent(Callable<Call> call, String key) {
    try {
      return call.call().header(IDEMPOTENCY_KEY, key).send();
    } catch (Exception failed) {
      throw new AssertionError(failed);
    }
  }

  @Test
  void anotherBodyUnderTheSameKeyIsAConflict() {
    create(owner, "order-1", "data").send().expect(201);

    create(owner, "order-1", "other data").send().expectProblem(409, "idempotency-key-used");

    assertThat(count(owner)).isEqualTo(1);
  }

  @Test
  void anotherQueryUnderTheSameKeyIsAConflict() {
    String path = "/applications/" + tenant.application("private", "token:read").id();
    Client manager = tenant.management();
    manager
        .call("POST", path + "/regenerate?grace_seconds=5")
        .header(IDEMPOTENCY_KEY, "r")
        .send()
        .expect(200);

    manager
        .call("POST", path + "/regenerate")
        .header(IDEMPOTENCY_KEY, "r")
        .send()
        .expectProblem(409, "idempotency-key-used");
  }

  @Test
  void anotherPathMethodOrApplicationIsAnotherRequest() {
    Client second = tenant.owner();
    Response first = create(owner, "order-1", "data").send().expect(201);

    Response ofAnother = create(second, "order-1", "data").send().expect(201);
    Response tokenized =
        owner
            .call("POST", "/tokenize")
            .header(IDEMPOTENCY_KEY, "order-1")
            .json("\"data\"")
            .send()
            .expect(200);

    assertThat(ofAnother.text("id")).isNotEqualTo(first.text("id"));
    assertThat(ofAnother.header(IDEMPOTENCY_REPEAT)).isEmpty();
    assertThat(tokenized.header(IDEMPOTENCY_REPEAT)).isEmpty();
    Client foreign = vault.newTenant().owner();
    assertThat(create(foreign, "order-1", "data").send().expect(201).header(IDEMPOTENCY_REPEAT))
        .isEmpty();
  }

  @Test
  void ofManyAtOnceOneIsCarriedOut() {
    for (int round = 0; round < 5; round++) {
      String key = "together-" + round;
      int before = count(owner);
      List<Callable<Response>> calls = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        calls.add(() -> create(owner, key, "data").send());
      }

      List<Response> responses = ConcurrentRequests.send(calls);

      assertThat(count(owner)).isEqualTo(before + 1);
      assertThat(responses).filteredOn(each -> each.status() == 201).isNotEmpty();
      for (Response each : responses) {
        if (each.status() != 201) {
          each.expectProblem(409, "request-running");
          assertThat(each.header("Retry-After")).contains("1");
        }
      }
      expectRepeat(
          create(owner, key, "data").send(),
          responses.stream()
              .filter(each -> each.status() == 201 && each.header(IDEMPOTENCY_REPEAT).isEmpty())
              .findFirst()
              .orElseThrow());
    }
  }

  @Test
  void aRequestThatFailedIsNotKept() {
    create(owner, "order-1", null).send().expectProblem(400, "validation-failed");

    create(owner, "order-1", "data").send().expect(201);
  }

  @Test
  void whoMayNotSeeItAnyMoreIsRefusedAndThatIsRecorded() {
    ObjectNode revealing =
        Json.object(
            "name",
            "withdrawn",
            "type",
            "private",
            "rules",
            List.of(TenantFixture.rule(1, "/", "reveal", "token:create")));
    Client client = tenant.application(revealing);
    Response first = create(client, "order-1", "data").send().expect(201);
    assertThat(first.text("data")).isEqualTo("data");
    changeRules(client, TenantFixture.rule(1, "/", "mask", "token:create"));

    create(client, "order-1", "data").send().expectProblem(403, "forbidden");

    assertThat(messages(first.text("id"))).contains("Answer to a repeated request denied");
    changeRules(client, TenantFixture.rule(1, "/other/", "reveal", "token:create"));
    create(client, "order-1", "data").send().expectProblem(403, "forbidden");
    changeRules(client, TenantFixture.rule(1, "/", "reveal", "token:read"));
    create(client, "order-1", "data").send().expectProblem(403, "forbidden");
    assertThat(messages(client.id())).contains("Use of token:create denied");
    changeRules(client, TenantFixture.rule(1, "/", "reveal", "token:create"));
    expectRepeat(create(client, "order-1", "data").send(), first);
  }

  private void changeRules(Client client, ObjectNode rule) {
    tenant
        .management()
        .put("/applications/" + client.id(), Json.object("name", "changed", "rules", List.of(rule)))
        .expect(200);
  }

  @Test
  void whatWasChangedAndCanNotBeReadIsNotShownToARepeatEither() {
    String id = owner.token("before");
    Response first = patch(id).send().expect(200);
    assertThat(first.text("data")).isEqualTo("after");
    changeRules(owner, TenantFixture.rule(1, "/", "reveal", "token:update"));

    patch(id).send().expectProblem(403, "forbidden");
  }

  private Call patch(String id) {
    return owner
        .call("PATCH", "/tokens/" + id)
        .header(IDEMPOTENCY_KEY, "change")
        .json("{\"data\": \"after\"}");
  }

  @Test
  void theAnswerAboutATokenThatIsGoneIsNotGiven() {
    Response first = create(owner, "order-1", "data").send().expect(201);
    owner.delete("/tokens/" + first.text("id")).expect(204);

    create(owner, "order-1", "data").send().expectProblem(409, "already-done");

    assertThat(count(owner)).isZero();
  }

  @Test
  void theKeyOfAnApplicationIsKeptNowhere() throws SQLException {
    Client manager = tenant.management();
    ObjectNode body =
        Json.object("name", "made", "type", "private", "permissions", List.of("token:read"));
    Response first =
        manager.call("POST", "/applications").header(IDEMPOTENCY_KEY, "a").json(body).send();
    String id = first.expect(201).text("id");

    Response repeat =
        manager.call("POST", "/applications").header(IDEMPOTENCY_KEY, "a").json(body).send();

    repeat.expectProblem(409, "already-done");
    assertThat(repeat.text("detail")).contains("regenerate", id);
    assertThat(repeat.text()).doesNotContain(first.text("key"));
    String path = "/applications/" + id + "/regenerate";
    Response regenerated =
        manager.call("POST", path).header(IDEMPOTENCY_KEY, "r").send().expect(200);
    manager
        .call("POST", path)
        .header(IDEMPOTENCY_KEY, "r")
        .send()
        .expectProblem(409, "already-done");
    Client.of(vault, regenerated).get("/tokens").expect(200);
    try (Tables tables = Tables.of(vault)) {
      assertThat(tables.rowsWith(first.text("key"))).isEmpty();
      assertThat(tables.rowsWith(regenerated.text("key"))).isEmpty();
      assertThat(tables.count("keyed_request", "answer IS NULL AND application_id", manager.id()))
          .isEqualTo(2);
    }
  }

  @Test
  void neitherKeyNorBodyNorTheirPlainHashesAreInTheDatabase() throws SQLException {
    String key = "planted-key-" + UUID.randomUUID();
    String data = "planted-data-" + UUID.randomUUID();
    create(owner, key, data).send().expect(201);

    try (Tables tables = Tables.of(vault)) {
      assertThat(tables.count("keyed_request", "application_id", owner.id())).isEqualTo(1);
      for (String secret : List.of(key, data, sha256(token(data).toString()))) {
        assertThat(tables.rowsWith(secret)).as(secret).isEmpty();
      }
    }
  }

  private static String sha256(String text) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError(impossible);
    }
  }

  @Test
  void afterADayTheKeyIsFree() throws SQLException {
    Response first = create(owner, "order-1", "data").send().expect(201);
    try (Tables tables = Tables.of(vault)) {
      tables.update(
          "UPDATE keyed_request SET expires_at = expires_at - interval '23 hours 59 minutes'"
              + " WHERE application_id = ?::uuid",
          owner.id());
      expectRepeat(create(owner, "order-1", "data").send(), first);
      tables.update(
          "UPDATE keyed_request SET expires_at = expires_at - interval '1 minute'"
              + " WHERE application_id = ?::uuid",
          owner.id());
    }

    Response next = create(owner, "order-1", "data").send().expect(201);

    assertThat(next.text("id")).isNotEqualTo(first.text("id"));
  }

  @Test
  void anAnswerWithACardsCodeGoesWithTheCode() {
    try (RunningVault.Node node = vault.node(Map.of("VAULT_CARD_CVC_LIFETIME_SECONDS", "2"))) {
      ObjectNode card =
          Json.object(
              "type",
              "card",
              "data",
              Json.object("number", "4242424242424242", "expiration_month", 12, "cvc", "7291"));
      Callable<Response> send =
          () ->
              node.call("POST", "/tokens")
                  .key(owner.key())
                  .header(IDEMPOTENCY_KEY, "card")
                  .json(card)
                  .send();

      assertThat(answer(send).expect(201).get("data").path("cvc").asText()).isEqualTo("7291");

      Eventually.holds(
          "the answer is not given any more",
          Duration.ofSeconds(20),
          () -> answer(send).status() == 409);
      answer(send).expectProblem(409, "already-done");
      assertThat(count(owner)).isEqualTo(1);
    }
  }

  private static Response answer(Callable<Response> call) {
    try {
      return call.call();
    } catch (Exception failed) {
      throw new AssertionError(failed);
    }
  }

  @Test
  void answersOpenAfterTheTenantGotNewKeysAndAreEncryptedAnew() throws SQLException {
    Response first = create(owner, "order-1", "data").send().expect(201);
    assertThat(vault.backend().manageKeys().rotate(new TenantId(UUID.fromString(tenant.id()))))
        .isEqualTo(ManageKeys.Outcome.DONE);

    expectRepeat(create(owner, "order-1", "data").send(), first);
    create(owner, "order-1", "other").send().expectProblem(409, "idempotency-key-used");

    try (Tables tables = Tables.of(vault)) {
      Eventually.holds(
          "the answer is under the new key",
          Duration.ofSeconds(30),
          () ->
              tables.count("keyed_request", "answer_key_version = 2 AND application_id", owner.id())
                  == 1);
    }
    expectRepeat(create(owner, "order-1", "data").send(), first);
  }

  @Test
  void aKeyThatIsNoneIsToldAfterTheCallerWasAdmitted() {
    String tooLong = "k".repeat(256);
    for (String key : List.of(tooLong, "with blank")) {
      create(owner, key, "data").send().expectErrorsAt(IDEMPOTENCY_KEY);
    }
    create(owner, "one", "data")
        .header(IDEMPOTENCY_KEY, "two")
        .send()
        .expectErrorsAt(IDEMPOTENCY_KEY);
    create(owner, "k".repeat(255), "data").send().expect(201);
    vault
        .call("POST", "/tokens")
        .header(IDEMPOTENCY_KEY, tooLong)
        .json(token("data"))
        .send()
        .expectProblem(401, "unauthenticated");
    assertThat(count(owner)).isEqualTo(1);
  }

  @Test
  void readsAreNotKept() {
    String id = owner.token("data");
    Call search =
        owner
            .call("POST", "/tokens/search")
            .header(IDEMPOTENCY_KEY, "s")
            .json("{\"query\": \"data:x\"}");
    search.send().expect(200);
    owner.call("GET", "/tokens/" + id).header(IDEMPOTENCY_KEY, "s").send().expect(200);
    assertThat(
            owner
                .call("GET", "/tokens/" + id)
                .header(IDEMPOTENCY_KEY, "s")
                .send()
                .header(IDEMPOTENCY_REPEAT))
        .isEmpty();
  }
}
