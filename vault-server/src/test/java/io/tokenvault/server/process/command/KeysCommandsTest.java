package io.tokenvault.server.process.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import io.tokenvault.server.place.TestSize;
import io.tokenvault.server.process.fixture.CommandRun;
import io.tokenvault.server.process.fixture.TrackedTokens;
import io.tokenvault.server.process.fixture.TwoNodes;
import io.tokenvault.server.process.fixture.VaultProcess;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/** Tests the rotation and destruction of keys, which two running servers apply immediately. */
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class KeysCommandsTest {

  private static final String DOES_NOT_BELONG =
      "The master keyset does not belong to this database";

  @AutoClose private final TwoNodes nodes = TwoNodes.start();

  private JsonNode status(JsonNode tenant) {
    return nodes.lines("keys", "status").stream()
        .filter(line -> line.path("tenant_id").equals(tenant.path("tenant_id")))
        .findFirst()
        .orElseThrow();
  }

  private static List<Long> numbers(JsonNode array) {
    return Json.texts(array).stream().map(Long::valueOf).toList();
  }

  /** Runs first, before background re-encryption changes the content of tables. */
  @Order(1)
  @Test
  void anotherKeysetIsRefusedAndNothingIsWritten() {
    JsonNode tenant = nodes.newTenant("Guarded");
    Path other = nodes.file("other.json");
    CommandRun.run(Map.of(), "keys", "init", other.toString()).expectExit(0);
    Map<String, List<String>> before = nodes.content();

    for (String command :
        List.of(
            "tenant create --name x",
            "tenant delete --yes --id " + tenant.path("tenant_id").asText(),
            "keys rotate",
            "keys rotate-master rewrap",
            "serve")) {
      CommandRun refused = CommandRun.run(nodes.settings(other), command.split(" ")).expectExit(3);
      assertThat(refused.err()).contains(DOES_NOT_BELONG);
      assertThat(refused.out()).isEmpty();
    }

    assertThat(nodes.content()).isEqualTo(before);
    assertThat(nodes.onFirst(tenant).status()).isEqualTo(200);
  }

  @Test
  void tokensOfAllKeyVersionsAreFoundAndReencryptedUnderNewest() {
    JsonNode tenant = nodes.newTenant("Rotated");
    TrackedTokens secrets = new TrackedTokens(nodes, nodes.newOwner(tenant));
    secrets.add("one");
    nodes.command("keys", "rotate").expectExit(0);
    secrets.add("two");
    secrets.assertAllThere();
    nodes.command("keys", "rotate", "--tenant", tenant.path("tenant_id").asText()).expectExit(0);
    secrets.add("three");
    secrets.assertAllThere();

    JsonNode keys = status(tenant).path("keys");
    for (String purpose : List.of("data", "fingerprint", "search_index")) {
      assertThat(numbers(keys.path(purpose))).as(purpose).containsExactly(3L, 2L, 1L);
    }
    VaultProcess.awaitThat(
        "all data to be encrypted under the newest key",
        () -> Json.names(status(tenant).path("fields")).equals(List.of("3")));
    assertThat(status(tenant).path("fields").path("3").asLong()).isGreaterThanOrEqualTo(3);
    secrets.assertAllThere();
    assertThat(entries(tenant, "Keys rotated")).hasSize(2);
  }

  /** Returns the audit entries of the system with this message. */
  private List<List<String>> entries(JsonNode tenant, String message) {
    String id = tenant.path("tenant_id").asText();
    return Json.stream(nodes.onFirst(tenant).get("/logs?size=1000&entity_id=" + id).get("data"))
        .map(entry -> Json.members(entry, "message", "actor_type"))
        .filter(List.of(message, "system")::equals)
        .toList();
  }

  @Tag("long")
  @Test
  void threeMasterKeysInTurnLoseNothing() {
    JsonNode tenant = nodes.newTenant("Master keys");
    JsonNode owner = nodes.newOwner(tenant);
    TrackedTokens secrets = new TrackedTokens(nodes, owner);
    secrets.add("first");
    for (String data : List.of("second", "third")) {
      changeMasterKey(secrets, owner);
      assertIsUnderTheMasterKeyInUse(tenant);
      secrets.add(data);
      assertThat(hashVersions(owner)).containsExactly(primary("key_hash"));
    }
    secrets.assertAllThere();
    assertThat(nodes.keyset().path("master").path("key")).hasSize(3);
    assertThat(entries(tenant, "Master key promoted")).hasSize(2);
    assertThat(entries(tenant, "Keys wrapped under another master key")).hasSize(2);
    nodes.restart();
    secrets.assertAllThere();
    assertThat(nodes.onSecond(tenant).status()).isEqualTo(200);
  }

  private void changeMasterKey(TrackedTokens secrets, JsonNode owner) {
    long before = primary("master");
    nodes.command("keys", "rotate-master", "promote").expectExit(1);
    assertThat(nodes.command("keys", "rotate-master", "add").expectExit(0).err())
        .contains("Next:", "keys rotate-master promote");
    nodes.command("keys", "rotate-master", "add").expectExit(1);
    secrets.assertAllThere();

    assertThat(nodes.command("keys", "rotate-master", "promote").expectExit(1).err())
        .contains("Nothing was promoted");
    assertThat(primary("master")).isEqualTo(before);
    nodes.giveKeysetToSecond();
    VaultProcess.awaitThat("nodes that have the new key", this::bothHoldAllKeys);
    secrets.assertAllThere();

    assertThat(nodes.command("keys", "rotate-master", "promote").expectExit(0).err())
        .contains("Next:", "keys rotate-master rewrap");
    assertThat(primary("master")).isNotEqualTo(before);
    secrets.assertAllThere();
    nodes.giveKeysetToSecond();
    nodes.command("keys", "rotate-master", "rewrap").expectExit(0);
    secrets.assertAllThere();
    VaultProcess.awaitThat(
        "nodes that use the new key",
        () -> nodes.onBoth(owner).stream().allMatch(http -> hashIsRenewedBy(http, owner)));
  }

  private boolean bothHoldAllKeys() {
    Set<Long> all = new HashSet<>();
    nodes.keyset().path("master").path("key").forEach(key -> all.add(key.path("keyId").asLong()));
    List<JsonNode> live =
        nodes.lines("keys", "status").stream().filter(line -> line.has("node_id")).toList();
    return live.size() == 2
        && live.stream()
            .allMatch(node -> all.equals(Set.copyOf(numbers(node.path("master_keys")))));
  }

  /** Uses a node, which renews the hash of the key, and checks the version of the hash. */
  private boolean hashIsRenewedBy(Client http, JsonNode owner) {
    http.get("/tokens").expect(200);
    return hashVersions(owner).equals(List.of(primary("key_hash")));
  }

  private List<Long> hashVersions(JsonNode application) {
    return nodes
        .select(
            "SELECT hash_version FROM credential WHERE owner_id::text = ?",
            application.path("id").asText())
        .stream()
        .map(version -> Integer.toUnsignedLong(Integer.parseInt(version)))
        .toList();
  }

  private long primary(String keyset) {
    return nodes.keyset().path(keyset).path("primaryKeyId").asLong();
  }

  private void assertIsUnderTheMasterKeyInUse(JsonNode tenant) {
    assertThat(numbers(status(tenant).path("master_keys"))).containsExactly(primary("master"));
  }

  @Test
  void shreddedTenantIsNeitherReadNorWrittenOnAnyNode() {
    JsonNode tenant = nodes.newTenant("Shredded");
    JsonNode owner = nodes.newOwner(tenant);
    JsonNode otherTenant = nodes.newTenant("Other");
    TrackedTokens secrets = new TrackedTokens(nodes, owner);
    TrackedTokens others = new TrackedTokens(nodes, nodes.newOwner(otherTenant));
    secrets.add("one");
    others.add("one");
    String id = tenant.path("tenant_id").asText();
    nodes.command("keys", "rotate").expectExit(0);
    secrets.add("two");
    assertThat(keyRows(id)).isEqualTo(6);

    nodes.command("tenant", "shred", "--id", id).expectExit(2);
    nodes.command("tenant", "shred", "--id", id, "--yes=false").expectExit(2);
    secrets.assertAllThere();
    nodes.command("tenant", "shred", "--id", id, "--yes").expectExit(0);
    nodes.onBoth(owner).forEach(http -> assertShredded(http, secrets.ids()));
    assertThat(keyRows(id)).isZero();
    assertThat(rows("token", id)).isEqualTo(2);
    for (Client http : nodes.onBoth(tenant)) {
      assertIsRecorded(http, id);
      assertIsRefused(http.post("/proxies", TenantFixture.proxyDraft("https://a.test")));
    }
    others.assertAllThere();

    if (TestSize.IS_FULL) {
      nodes.restart();
      nodes.onBoth(owner).forEach(http -> assertShredded(http, secrets.ids()));
      others.assertAllThere();
    }
    assertItGetsNoKeysAgain(id);
  }

  private static void assertShredded(Client http, List<String> ids) {
    ids.forEach(id -> assertIsRefused(http.get("/tokens/" + id)));
    assertIsRefused(http.get("/tokens"));
    assertIsRefused(TrackedTokens.post(http, "new"));
    assertIsRefused(http.post("/tokenize", "{\"type\":\"token\",\"data\":\"new\"}"));
    assertIsRefused(http.post("/detokenize", "\"{{" + ids.get(0) + "}}\""));
    assertIsRefused(http.post("/tokens/search", "{\"query\":\"data:one\"}"));
  }

  private static void assertIsRefused(Response response) {
    response.expectProblem(409, "tenant-shredded");
  }

  private static void assertIsRecorded(Client http, String tenant) {
    assertThat(http.get("/logs?size=1000").expect(200).get("data"))
        .extracting(
            entry -> TenantFixture.operation(entry) + Json.members(entry, "actor_type", "message"))
        .filteredOn(entry -> entry.endsWith("Tenant keys destroyed]"))
        .containsExactly("delete tenant " + tenant + "[system, Tenant keys destroyed]");
  }

  private void assertItGetsNoKeysAgain(String id) {
    nodes.command("tenant", "shred", "--id", id, "--yes").expectExit(1);
    nodes.command("keys", "rotate", "--tenant", id).expectExit(1);
    nodes.command("keys", "rotate").expectExit(0);
    assertThat(keyRows(id)).isZero();
    assertThat(nodes.lines("keys", "status"))
        .filteredOn(line -> line.path("tenant_id").asText().equals(id))
        .singleElement()
        .satisfies(line -> assertThat(line.path("shredded").asBoolean()).isTrue());
  }

  private long keyRows(String tenant) {
    return rows("tenant_key", tenant);
  }

  private long rows(String table, String tenant) {
    return nodes.select("SELECT 1 FROM " + table + " WHERE tenant_id::text = ?", tenant).size();
  }
}
