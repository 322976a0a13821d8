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

/** Audit entries about changes, searches, tokenization and detokenization. */
final class RecordedTokensTest {

  private final TenantFixture tenant = RunningVault.shared().newTenant();
  private final Client owner = tenant.owner();
  private final Client creator = tenant.owner();

  @Test
  void changeAndDataRevealedInItsResponseAreRecorded() {
    String id = creator.token("planted");
    Client editor = tenant.applicationWithRules(rule(1, "/", "reveal", "token:update"));

    owner.patch("/tokens/" + id, "{\"data\": \"planted-too\"}").expect(200);
    editor.patch("/tokens/" + id, "{\"metadata\": {\"k\": \"planted\"}}").expect(200);

    assertThat(operations(owner))
        .containsExactlyInAnyOrder("update token " + id, "read token " + id);
    assertThat(operations(editor)).containsExactly("update token " + id);
  }

  @Test
  void searchIsRecordedWithEachRevealedToken() {
    String shown = creator.token(indexed("/shown/"));
    creator.token(indexed("/masked/"));
    Client searcher =
        tenant.applicationWithRules(
            rule(1, "/shown/", "reveal", "token:search"),
            rule(2, "/masked/", "mask", "token:search"));

    search(searcher, "data:planted").expect(200);
    search(searcher, "data:nothing-of-that").expect(200);
    search(searcher, "nothing").expect(400);

    assertThat(operations(searcher))
        .containsExactlyInAnyOrder("search token *", "search token *", "read token " + shown);
  }

  @Test
  void everyTokenCreatedByTokenizeIsRecorded() {
    JsonNode tokenized =
        owner
            .post(
                "/tokenize",
                """
                {"a": "planted", "b": {"type": "card_number", "data": "4242424242424242"}}\
                """)
            .expect(200)
            .json();
    owner.post("/tokenize", "[\"x\", {\"type\": \"card\", \"data\": {}}]").expect(400);

    assertThat(operations(owner))
        .containsExactlyInAnyOrder(
            "create token " + tokenized.path("a").asText(),
            "create card_number " + tokenized.path("b").path("id").asText());
  }

  @Test
  void everyDetokenizedTokenIsRecordedOnce() {
    String first = creator.token("planted");
    String second =
        creator.token(Json.object("type", "social_security_number", "data", "078-05-1120"));
    Client reader = tenant.reader("mask");

    reader
        .post("/detokenize", Json.of(List.of("{{" + first + "}}{{" + first + " | upcase}}", "x")))
        .expect(200);
    reader.post("/detokenize", Json.of("{{" + second + "}}")).expect(200);
    reader.post("/detokenize", Json.of("no expression")).expect(200);
    reader.post("/detokenize", Json.of("{{unknown}}")).expect(400);

    assertThat(operations(reader))
        .containsExactly("read social_security_number " + second, "read token " + first);
  }

  @Test
  void deniedReadByDetokenizeNamesOnlyForbiddenTokenAndIsRecorded() {
    String shown = creator.token("planted", "/a/");
    String hidden = creator.token("planted", "/b/");
    Client reader = tenant.applicationWithRules(rule(1, "/a/", "reveal", "token:read"));

    Response response = reader.post("/detokenize", Json.of("{{" + shown + "}}{{" + hidden + "}}"));

    assertThat(response.expectProblem(403, "tokens-forbidden").text())
        .contains(hidden)
        .doesNotContain(shown, "planted");
    assertThat(operations(reader)).containsExactly("read token " + hidden);
    assertThat(tenant.messages("actor_id=" + reader.id())).containsExactly("Token read denied");
  }

  @Test
  void deduplicatedTokenIsRecordedAsReadNotCreated() {
    ObjectNode token = Json.object("type", "token", "data", "planted", "deduplicate_token", true);
    String id = creator.post("/tokens", token).expect(201).text("id");

    owner.post("/tokens", token).expect(200);

    assertThat(operations(owner)).containsExactly("read token " + id);
  }

  private ObjectNode indexed(String container) {
    return Json.object("type", "token", "data", "planted", "containers", List.of(container))
        .set("search_indexes", Json.of(List.of("{{ data }}")));
  }

  private static Response search(Client client, String query) {
    return client.post("/tokens/search", Json.object("query", query));
  }

  /** Returns the operations of an application, newest first; fails if the log contains data. */
  private List<String> operations(Client client) {
    assertThat(tenant.log().toString())
        .doesNotContain("planted", "4242424242424242", "078-05-1120");
    return tenant.operations("actor_id=" + client.id());
  }
}
