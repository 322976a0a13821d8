package io.tokenvault.server.process.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.process.fixture.Http;
import io.tokenvault.server.process.fixture.Secrets;
import io.tokenvault.server.process.fixture.TwoNodes;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** A tenant whose keys are destroyed while two servers run that have used them. */
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ShredTest {

  private TwoNodes nodes;

  @BeforeAll
  void start() {
    nodes = TwoNodes.start();
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  @Test
  void nothingOfItIsReadOrWrittenFromTheNextRequestOnAnyNode() {
    JsonNode tenant = nodes.newTenant("Shredded");
    JsonNode owner = nodes.newOwner(tenant);
    JsonNode otherTenant = nodes.newTenant("Other");
    Secrets secrets = new Secrets(nodes, owner);
    Secrets others = new Secrets(nodes, nodes.newOwner(otherTenant));
    secrets.add("one");
    others.add("one");
    String id = tenant.path("tenant_id").asText();
    nodes.command("keys", "rotate").expectExit(0);
    secrets.add("two");
    secrets.assertAllThere();
    assertThat(keyRows(id)).isEqualTo(6);

    nodes.command("tenant", "shred", "--id", id, "--yes").expectExit(0);
    nodes.onBoth(owner).forEach(http -> assertShredded(http, secrets.ids()));
    assertThat(keyRows(id)).isZero();
    assertThat(rows("token", id)).isEqualTo(2);
    for (Http http : nodes.onBoth(tenant)) {
      assertIsRecorded(http, id);
      assertIsRefused(
          http.post("/proxies", "{\"name\":\"p\",\"destination_url\":\"https://a.test\"}"));
    }
    others.assertAllThere();

    nodes.restart();
    nodes.onBoth(owner).forEach(http -> assertShredded(http, secrets.ids()));
    others.assertAllThere();
    assertItGetsNoKeysAgain(id);
  }

  private static void assertShredded(Http http, List<String> ids) {
    ids.forEach(id -> assertIsRefused(http.get("/tokens/" + id)));
    assertIsRefused(http.get("/tokens"));
    assertIsRefused(Secrets.post(http, "new"));
    assertIsRefused(http.post("/tokenize", "{\"type\":\"token\",\"data\":\"new\"}"));
    assertIsRefused(http.post("/detokenize", "\"{{" + ids.get(0) + "}}\""));
    assertIsRefused(http.post("/tokens/search", "{\"query\":\"data:one\"}"));
  }

  private static void assertIsRefused(HttpResponse<String> response) {
    assertThat(response.statusCode()).as("%s", response.body()).isEqualTo(409);
    assertThat(Http.json(response.body()).path("type").asText()).endsWith("tenant-shredded");
  }

  private static void assertIsRecorded(Http http, String tenant) {
    JsonNode log = Http.json(http.get("/logs?size=1000").body()).path("data");
    assertThat(StreamSupport.stream(log.spliterator(), false))
        .filteredOn(entry -> entry.path("message").asText().equals("Tenant keys destroyed"))
        .singleElement()
        .satisfies(
            entry -> {
              assertThat(entry.path("entity_id").asText()).isEqualTo(tenant);
              assertThat(entry.path("entity_type").asText()).isEqualTo("tenant");
              assertThat(entry.path("operation").asText()).isEqualTo("delete");
              assertThat(entry.path("actor_type").asText()).isEqualTo("system");
            });
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

  @Test
  void itHasToBeMeant() {
    JsonNode tenant = nodes.newTenant("Spared");
    String id = tenant.path("tenant_id").asText();
    Secrets secrets = new Secrets(nodes, nodes.newOwner(tenant));
    secrets.add("spared");

    nodes.command("tenant", "shred", "--id", id).expectExit(2);
    nodes.command("tenant", "shred", "--id", id, "--yes=false").expectExit(2);

    secrets.assertAllThere();
    assertThat(keyRows(id)).isEqualTo(3);
  }

  private long keyRows(String tenant) {
    return rows("tenant_key", tenant);
  }

  private long rows(String table, String tenant) {
    return nodes.select("SELECT 1 FROM " + table + " WHERE tenant_id::text = ?", tenant).size();
  }
}
