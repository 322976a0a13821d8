package io.tokenvault.server.e2e.http;

import static io.tokenvault.server.e2e.fixture.Call.IDEMPOTENCY_KEY;
import static io.tokenvault.server.e2e.fixture.Call.IDEMPOTENCY_REPEAT;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.server.e2e.fixture.Call;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.ConcurrentRequests;
import io.tokenvault.server.e2e.fixture.DatabaseTables;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.SQLException;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Retried changes with idempotency keys. */
@Execution(ExecutionMode.CONCURRENT)
final class IdempotencyTest {

  private final RunningVault vault = RunningVault.shared();
  private final TenantFixture tenant = vault.newTenant();
  private final Client owner = tenant.owner();

  private static ObjectNode token(Object data) {
    return Json.object("type", "token", "data", data);
  }

  private static Call create(Client client, String key, Object data) {
    return client.call("POST", "/tokens").idempotent(key).json(token(data));
  }

  private static void expectReplay(Response replay, Response first) {
    replay.expect(first.status());
    assertThat(replay.text()).isEqualTo(first.text());
    assertThat(replay.header("Location")).isEqualTo(first.header("Location"));
    assertThat(replay.header("Content-Type")).isEqualTo(first.header("Content-Type"));
    assertThat(first.header(IDEMPOTENCY_REPEAT)).isEmpty();
    assertThat(replay.header(IDEMPOTENCY_REPEAT)).contains("true");
  }

  private int tokenCount(Client client) {
    return client.get("/tokens").expect(200).totalItems();
  }

  private List<String> messages(String entityId) {
    return tenant.messages("entity_id=" + entityId);
  }

  @Test
  void retryReturnsRecordedResponseAndCreatesNothing() {
    Response first = create(owner, "order-1", "data").send().expect(201);

    Response replay = create(owner, "order-1", "data").send();

    expectReplay(replay, first);
    assertThat(tokenCount(owner)).isEqualTo(1);
    assertThat(messages(first.text("id"))).contains("Token created", "Response replayed");
    assertThat(Collections.frequency(messages(first.text("id")), "Token created")).isEqualTo(1);
  }

  @Test
  void standardHeaderIsAnAlias() {
    Response first = createByAlias("order-1").send().expect(201);

    expectReplay(createByAlias("order-1").send(), first);
    expectReplay(create(owner, "order-1", "data").send(), first);
    expectReplay(createByAlias("order-1").idempotent("order-1").send(), first);
    createByAlias("order-1").idempotent("order-2").send().expectErrorsAt(IDEMPOTENCY_KEY);
    createByAlias("with blank").send().expectErrorsAt(IDEMPOTENCY_KEY);
    assertThat(tokenCount(owner)).isEqualTo(1);
  }

  private Call createByAlias(String key) {
    return owner.call("POST", "/tokens").header("Idempotency-Key", key).json(token("data"));
  }

  @Test
  void everyChangeCanBeRetried() {
    String id = owner.token("before");
    JsonNode proxy = tenant.proxy("https://payments.test");
    String proxyPath = "/proxies/" + proxy.path("id").asText();
    String replaced = tenant.application("private", "token:read").id();
    String patched = tenant.application("private", "token:read").id();
    ObjectNode proxyBody = TenantFixture.proxyDraft("https://payments.test").put("name", "again");
    JsonNode applicationBody = TenantFixture.draft("private", "token:read").without("type");
    Client management = tenant.management();
    Client updater = tenant.application("management", "application:update");
    List<Supplier<Call>> calls =
        List.of(
            () -> owner.call("PATCH", "/tokens/" + id).json("{\"data\": \"after\"}"),
            () -> owner.call("POST", "/tokenize").json("{\"a\": \"one\", \"b\": [\"two\"]}"),
            () -> management.call("POST", "/proxies").json(proxyBody),
            () -> management.call("PUT", proxyPath).json(proxyBody),
            () -> management.call("PUT", "/applications/" + replaced).json(applicationBody),
            () ->
                updater
                    .call("PATCH", "/applications/" + patched)
                    .body("application/merge-patch+json", "{\"name\": \"once\"}"));
    for (Supplier<Call> call : calls) {
      String key = UUID.randomUUID().toString();
      Response first = call.get().idempotent(key).send();
      assertThat(first.status()).as("%s", first).isBetween(200, 201);

      expectReplay(call.get().idempotent(key).send(), first);
    }
    assertThat(messages(proxy.path("id").asText())).containsOnlyOnce("Proxy updated");
    assertThat(messages(replaced)).containsOnlyOnce("Application updated");
    assertThat(tenant.messages("actor_id=" + updater.id()))
        .containsExactly("Response replayed", "Application updated");
    assertThat(messages(id)).containsOnlyOnce("Token updated");
  }

  @Test
  void concurrentRequestsAreExecutedOnce() {
    List<Response> responses =
        ConcurrentRequests.send(
            Collections.nCopies(6, () -> create(owner, "together", "data").send()));
    assertThat(tokenCount(owner)).isEqualTo(1);
    assertThat(responses).filteredOn(each -> each.status() == 201).isNotEmpty();
    for (Response each : responses) {
      if (each.status() != 201) {
        each.expectProblem(409, "request-running");
        assertThat(each.header("Retry-After")).contains("1");
      }
    }
  }

  @Test
  void replayAfterLostPermissionIsDeniedAndRecorded() {
    Client client =
        tenant.applicationWithRules(TenantFixture.rule(1, "/", "reveal", "token:create"));
    Response first = create(client, "order-1", "data").send().expect(201);
    assertThat(first.text("data")).isEqualTo("data");
    changeRules(client, TenantFixture.rule(1, "/", "mask", "token:create"));

    create(client, "order-1", "data").send().expectProblem(403, "forbidden");

    assertThat(messages(first.text("id"))).contains("Response replay denied");
    changeRules(client, TenantFixture.rule(1, "/other/", "reveal", "token:create"));
    create(client, "order-1", "data").send().expectProblem(403, "forbidden");
    changeRules(client, TenantFixture.rule(1, "/", "reveal", "token:read"));
    create(client, "order-1", "data").send().expectProblem(403, "forbidden");
    assertThat(messages(client.id())).contains("Denied: missing permission token:create");
    changeRules(client, TenantFixture.rule(1, "/", "reveal", "token:create"));
    expectReplay(create(client, "order-1", "data").send(), first);
  }

  private void changeRules(Client client, ObjectNode rule) {
    tenant
        .management()
        .put("/applications/" + client.id(), Json.object("name", "changed", "rules", List.of(rule)))
        .expect(200);
  }

  @Test
  void replayOfChangeIsDeniedWithoutReadPermission() {
    String id = owner.token("before");
    Response first = patch(id).send().expect(200);
    assertThat(first.text("data")).isEqualTo("after");
    changeRules(owner, TenantFixture.rule(1, "/", "reveal", "token:update"));

    patch(id).send().expectProblem(403, "forbidden");
  }

  @Test
  void differentIfMatchOrQueryUnderSameKeyIsConflict() {
    String id = owner.token("before");
    patch(id).send().expect(200);
    patch(id).header("If-Match", "*").send().expectProblem(409, "idempotency-key-used");

    String path = "/applications/" + tenant.application("private", "token:read").id();
    regenerate(path + "/regenerate").expect(200);
    regenerate(path + "/regenerate?grace_seconds=1").expectProblem(409, "idempotency-key-used");
  }

  private Response regenerate(String path) {
    return tenant.management().call("POST", path).idempotent("new-key").send();
  }

  private Call patch(String id) {
    return owner.call("PATCH", "/tokens/" + id).idempotent("change").json("{\"data\": \"after\"}");
  }

  @Test
  void responseForDeletedTokenIsNotReplayed() {
    Response first = create(owner, "order-1", "data").send().expect(201);
    owner.delete("/tokens/" + first.text("id")).expect(204);

    create(owner, "order-1", "data").send().expectProblem(409, "already-done");

    assertThat(tokenCount(owner)).isZero();
  }

  @Test
  void applicationKeyIsStoredNowhere() throws SQLException {
    Client manager = tenant.management();
    ObjectNode body = TenantFixture.draft("private", "token:read");
    Response first = manager.call("POST", "/applications").idempotent("a").json(body).send();
    String id = first.expect(201).text("id");

    Response replay = manager.call("POST", "/applications").idempotent("a").json(body).send();

    replay.expectProblem(409, "already-done");
    assertThat(replay.text("detail")).contains("regenerate", id);
    assertThat(replay.text()).doesNotContain(first.text("key"));
    String path = "/applications/" + id + "/regenerate";
    Response regenerated = manager.call("POST", path).idempotent("r").send().expect(200);
    manager.call("POST", path).idempotent("r").send().expectProblem(409, "already-done");
    Client.of(vault, regenerated).get("/tokens").expect(200);
    try (DatabaseTables tables = DatabaseTables.of(vault)) {
      assertThat(tables.rowsContaining(first.text("key"))).isEmpty();
      assertThat(tables.rowsContaining(regenerated.text("key"))).isEmpty();
      assertThat(tables.count("keyed_request", "answer IS NULL AND application_id", manager.id()))
          .isEqualTo(2);
    }
  }

  @Test
  void databaseContainsNeitherKeyNorBodyNorPlainHashes() throws Exception {
    String key = "planted-key-" + UUID.randomUUID();
    String data = "planted-data-" + UUID.randomUUID();
    create(owner, key, data).send().expect(201);

    try (DatabaseTables tables = DatabaseTables.of(vault)) {
      assertThat(tables.count("keyed_request", "application_id", owner.id())).isEqualTo(1);
      for (String secret : List.of(key, data, sha256(token(data).toString()))) {
        assertThat(tables.rowsContaining(secret)).as(secret).isEmpty();
      }
    }
  }

  private static String sha256(String text) throws NoSuchAlgorithmException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }

  @Test
  void invalidKeyIsReportedAfterAuthentication() {
    String tooLong = "k".repeat(256);
    for (String key : List.of(tooLong, "with blank")) {
      create(owner, key, "data").send().expectErrorsAt(IDEMPOTENCY_KEY);
    }
    create(owner, "one", "data").idempotent("two").send().expectErrorsAt(IDEMPOTENCY_KEY);
    create(owner, "k".repeat(255), "data").send().expect(201);
    vault
        .call("POST", "/tokens")
        .idempotent(tooLong)
        .json(token("data"))
        .send()
        .expectProblem(401, "unauthenticated");
    assertThat(tokenCount(owner)).isEqualTo(1);
  }
}
