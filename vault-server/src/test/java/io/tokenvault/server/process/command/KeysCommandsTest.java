package io.tokenvault.server.process.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import io.tokenvault.server.environment.TestSize;
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
  void otherKeysetIsRejectedAndNothingIsWritten() {
    JsonNode tenant = nodes.newTenant("Guarded");
    Path other = nodes.file("other.json");
    CommandRun.run(Map.of(), "keys", "init", other.toString()).expectExit(0);
    Map<String, List<String>> before = nodes.storedRows();

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

    assertThat(nodes.storedRows()).isEqualTo(before);
    assertThat(nodes.onFirst(tenant).status()).isEqualTo(200);
  }

  @Test
  void tokensOfAllKeyVersionsAreFoundAndReencryptedUnderNewest() {
    JsonNode tenant = nodes.newTenant("Rotated");
    TrackedTokens tokens = new TrackedTokens(nodes, nodes.newOwner(tenant));
    tokens.add("one");
    nodes.command("keys", "rotate").expectExit(0);
    tokens.add("two");
    tokens.assertAllAvailable();
    nodes.command("keys", "rotate", "--tenant", tenant.path("tenant_id").asText()).expectExit(0);
    tokens.add("three");
    tokens.assertAllAvailable();

    JsonNode keys = status(tenant).path("keys");
    for (String purpose : List.of("data", "fingerprint", "search_index")) {
      assertThat(numbers(keys.path(purpose))).as(purpose).containsExactly(3L, 2L, 1L);
    }
    VaultProcess.awaitThat(
        "all data to be encrypted under the newest key",
        () -> Json.names(status(tenant).path("fields")).equals(List.of("3")));
    assertThat(status(tenant).path("fields").path("3").asLong()).isGreaterThanOrEqualTo(3);
    tokens.assertAllAvailable();
    assertThat(entries(tenant, "Keys rotated")).hasSize(2);
  }

  /** Returns the audit entries of the system with this message. */
  private List<List<String>> entries(JsonNode tenant, String message) {
    String id = tenant.path("tenant_id").asText();
    return Json.stream(nodes.onFirst(tenant).get("/logs?size=1000&entity_id=" + id).get("data"))
        .map(entry -> Json.properties(entry, "message", "actor_type"))
        .filter(List.of(message, "system")::equals)
        .toList();
  }

  @Tag("long")
  @Test
  void twoMasterKeyRotationsLoseNothing() {
    JsonNode tenant = nodes.newTenant("Master keys");
    JsonNode owner = nodes.newOwner(tenant);
    TrackedTokens tokens = new TrackedTokens(nodes, owner);
    tokens.add("first");
    for (String data : List.of("second", "third")) {
      changeMasterKey(tokens, owner);
      assertWrappedUnderPrimaryMasterKey(tenant);
      tokens.add(data);
      assertThat(hashVersions(owner)).containsExactly(primary("key_hash"));
    }
    tokens.assertAllAvailable();
    assertThat(nodes.keyset().path("master").path("key")).hasSize(3);
    assertThat(entries(tenant, "Master key promoted")).hasSize(2);
    assertThat(entries(tenant, "Keys wrapped under another master key")).hasSize(2);
    nodes.restart();
    tokens.assertAllAvailable();
    assertThat(nodes.onSecond(tenant).status()).isEqualTo(200);
  }

  private void changeMasterKey(TrackedTokens tokens, JsonNode owner) {
    long before = primary("master");
    nodes.command("keys", "rotate-master", "promote").expectExit(1);
    assertThat(nodes.command("keys", "rotate-master", "add").expectExit(0).err())
        .contains("Next:", "keys rotate-master promote");
    nodes.command("keys", "rotate-master", "add").expectExit(1);
    nodes.command("keys", "rotate-master", "rewrap").expectExit(1);
    tokens.assertAllAvailable();
    assertThat(nodes.command("keys", "rotate-master", "promote").expectExit(1).err())
        .contains("Nothing was promoted");
    assertThat(primary("master")).isEqualTo(before);
    nodes.copyKeysetToSecond();
    VaultProcess.awaitThat("nodes that have the new key", this::bothNodesHaveAllMasterKeys);
    tokens.assertAllAvailable();

    assertThat(nodes.command("keys", "rotate-master", "promote").expectExit(0).err())
        .contains("Next:", "keys rotate-master rewrap");
    assertThat(primary("master")).isNotEqualTo(before);
    tokens.assertAllAvailable();
    nodes.copyKeysetToSecond();
    nodes.command("keys", "rotate-master", "rewrap").expectExit(0);
    tokens.assertAllAvailable();
    VaultProcess.awaitThat(
        "nodes that use the new key",
        () -> nodes.onBoth(owner).stream().allMatch(http -> hashIsRenewedBy(http, owner)));
  }

  private boolean bothNodesHaveAllMasterKeys() {
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

  private void assertWrappedUnderPrimaryMasterKey(JsonNode tenant) {
    assertThat(numbers(status(tenant).path("master_keys"))).containsExactly(primary("master"));
  }

  @Tag("long")
  @Test
  void shreddedTenantIsNeitherReadableNorWritableOnAnyNode() {
    JsonNode tenant = nodes.newTenant("Shredded");
    JsonNode owner = nodes.newOwner(tenant);
    JsonNode otherTenant = nodes.newTenant("Other");
    TrackedTokens tokens = new TrackedTokens(nodes, owner);
    TrackedTokens otherTokens = new TrackedTokens(nodes, nodes.newOwner(otherTenant));
    tokens.add("one");
    otherTokens.add("one");
    String id = tenant.path("tenant_id").asText();
    nodes.command("keys", "rotate").expectExit(0);
    tokens.add("two");
    assertThat(keyRows(id)).isEqualTo(6);

    nodes.command("tenant", "shred", "--id", id).expectExit(2);
    nodes.command("tenant", "shred", "--id", id, "--yes=false").expectExit(2);
    tokens.assertAllAvailable();
    nodes.command("tenant", "shred", "--id", id, "--yes").expectExit(0);
    nodes.onBoth(owner).forEach(http -> assertShredded(http, tokens.ids()));
    assertThat(keyRows(id)).isZero();
    assertThat(rows("token", id)).isEqualTo(2);
    for (Client http : nodes.onBoth(tenant)) {
      assertShreddingIsRecorded(http, id);
      assertRejectedAsShredded(http.post("/proxies", TenantFixture.proxyDraft("https://a.test")));
    }
    otherTokens.assertAllAvailable();

    if (TestSize.IS_FULL) {
      nodes.restart();
      nodes.onBoth(owner).forEach(http -> assertShredded(http, tokens.ids()));
      otherTokens.assertAllAvailable();
    }
    assertKeysAreNotRecreated(id);
  }

  private static void assertShredded(Client http, List<String> ids) {
    ids.forEach(id -> assertRejectedAsShredded(http.get("/tokens/" + id)));
    assertRejectedAsShredded(http.get("/tokens"));
    assertRejectedAsShredded(TrackedTokens.createOrFind(http, "new"));
    assertRejectedAsShredded(http.post("/tokenize", "{\"type\":\"token\",\"data\":\"new\"}"));
    assertRejectedAsShredded(http.post("/detokenize", "\"{{" + ids.get(0) + "}}\""));
    assertRejectedAsShredded(http.post("/tokens/search", "{\"query\":\"data:one\"}"));
  }

  private static void assertRejectedAsShredded(Response response) {
    response.expectProblem(409, "tenant-shredded");
  }

  private static void assertShreddingIsRecorded(Client http, String tenant) {
    assertThat(http.get("/logs?size=1000").expect(200).get("data"))
        .extracting(
            entry ->
                TenantFixture.operation(entry) + Json.properties(entry, "actor_type", "message"))
        .filteredOn(entry -> entry.endsWith("Tenant keys destroyed]"))
        .containsExactly("delete tenant " + tenant + "[system, Tenant keys destroyed]");
  }

  private void assertKeysAreNotRecreated(String id) {
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
