package io.tokenvault.server.e2e.token;

import static io.tokenvault.server.e2e.fixture.TenantFixture.rule;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Searching tokens by a query in a part of Lucene's language. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TokenSearchTest {

  private final TenantFixture tenant = RunningVault.shared().newTenant();
  private final Client owner = tenant.owner();

  /** The tokens a, b and c, of which c is the newest. */
  private final String first =
      make(
          """
          {"id": "tok-a", "type": "card", "data": {"number": "4242424242424242"},
           "metadata": {"order": "17", "name": "Ada Lovelace"}, "containers": ["/pci/high/", "/x/"],
           "search_indexes": ["{{ data.number }}", "{{ data.number | last4 }}"]}\
          """);

  private final String second =
      make(
          """
          {"id": "tok-b", "type": "token", "data": "planted", "containers": ["/pci2/"],
           "metadata": {"order": "18"}}\
          """);

  private final String third =
      make(
          """
          {"id": "tok-c", "type": "social_security_number", "data": "078-05-1120",
           "metadata": {"order": "17"}, "search_indexes": ["{{ data | remove: '-' }}"]}\
          """);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          id:tok-b                                  | tok-b
          id:tok-b OR id:tok-c                      | tok-c tok-b
          id:tok-unknown                            | ``
          type:card                                 | tok-a
          NOT type:card                             | tok-c tok-b
          metadata.order:17                         | tok-c tok-a
          metadata.order:17 AND NOT type:card       | tok-c
          metadata.name:"Ada Lovelace"              | tok-a
          type:card OR (type:token AND metadata.order:17) | tok-a
          container:"/pci/high/"                    | tok-a
          container:/pci*                           | tok-b tok-a
          data:4242                                 | tok-a
          data:"4242424242424242" OR data:078051120 | tok-c tok-a
          data:planted                              | ``
          data:"078-05-1120"                        | ``
          NOT data:4242                             | tok-c tok-b
          created_at:[2000-01-01 TO 2001-01-01]     | ``
          created_at:["2000-01-01T00:00:00Z" TO "2999-01-01T00:00:00+02:00"] | tok-c tok-b tok-a
          """)
  void queryFindsTokens(String query, String expected) {
    assertThat(String.join(" ", found(owner, query))).isEqualTo(expected);
  }

  @Test
  void creatorsAndFingerprintsAreFound() {
    Client other = tenant.application("private", "token:create");
    String foreign = other.token("planted");
    String fingerprint = owner.get("/tokens/" + second).text("fingerprint");

    assertThat(found(owner, "created_by:" + other.id())).containsExactly(foreign);
    assertThat(found(owner, "created_by:\"" + owner.id() + "\""))
        .containsExactly(third, second, first);
    assertThat(found(owner, "fingerprint:" + fingerprint)).containsExactly(foreign, second);
    assertThat(found(owner, "fingerprint:" + "0".repeat(64))).isEmpty();
    owner.delete("/tokens/" + foreign).expect(204);
  }

  @Test
  void rangesOfTimeMayLeaveTheirEndsOut() {
    String start = owner.get("/tokens/" + first).text("created_at");
    String end = owner.get("/tokens/" + third).text("created_at");

    assertThat(between("[", start, end, "]")).containsExactly(third, second, first);
    assertThat(between("{", start, end, "]")).containsExactly(third, second);
    assertThat(between("[", start, end, "}")).containsExactly(second, first);
    assertThat(between("{", start, end, "}")).containsExactly(second);
  }

  private List<String> between(String open, String from, String to, String close) {
    return found(owner, "created_at:" + open + "\"" + from + "\" TO \"" + to + "\"" + close);
  }

  @Test
  void resultsArePagedAndShownLikeLists() {
    ObjectNode search = Json.object("query", "NOT id:nothing", "size", 2);
    Response page = owner.post("/tokens/search", search).expect(200);

    assertThat(Json.each(page.get("data"), "id")).containsExactly(third, second);
    assertThat(page.get("data").path(1).path("data").asText()).isEqualTo("planted");
    page.expectPage(1, 2, 3, 2);
    Response last = owner.post("/tokens/search", search.put("page", 2)).expect(200);
    assertThat(Json.each(last.get("data"), "id")).containsExactly(first);
  }

  @Test
  void unsearchableTokensAreNeitherFoundNorCounted() {
    Client searcher =
        tenant.ruled(
            rule(1, "/pci/", "mask", "token:search"), rule(2, "/", "reveal", "token:read"));

    for (String query :
        List.of("NOT id:nothing", "metadata.order:17", "data:4242 OR data:078051120")) {
      Response response = searcher.post("/tokens/search", Json.object("query", query)).expect(200);
      assertThat(Json.each(response.get("data"), "id")).containsExactly(first);
      assertThat(response.totalItems()).isEqualTo(1);
    }
  }

  @Test
  void tokensWithoutReadAreShownUnderSearchTransform() {
    Client searcher = tenant.ruled(rule(1, "/", "mask", "token:search"));

    Response response =
        searcher.post("/tokens/search", Json.object("query", "type:card")).expect(200);

    assertThat(response.get("data").path(0).path("data"))
        .isEqualTo(Json.object("number", "XXXXXXXXXXXX4242"));
  }

  @Test
  void anotherTenantFindsNothing() {
    Client stranger = RunningVault.shared().newTenant().owner();

    assertThat(found(stranger, "id:tok-a")).isEmpty();
    assertThat(found(stranger, "data:4242")).isEmpty();
    assertThat(found(stranger, "NOT id:nothing")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "id:",
        "data:\"planted",
      })
  void malformedQueryIsRejectedWithPosition(String query) {
    Response refused = refused(query);

    assertThat(refused.errorsAt("query").toString()).matches(".*\\d.*").doesNotContain("planted");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "planted",
        "type:planted",
        "data:planted*",
        "data:[planted TO planted]",
        "created_at:planted",
      })
  void unsupportedQueryIsRejectedAndNotRepeated(String query) {
    assertThat(refused(query).errorsAt("query").toString()).doesNotContain("planted");
  }

  private Response refused(String query) {
    return owner.post("/tokens/search", Json.object("query", query)).expectErrorsAt("query");
  }

  private static List<String> found(Client client, String query) {
    Response response = client.post("/tokens/search", Json.object("query", query)).expect(200);
    List<String> ids = Json.each(response.get("data"), "id");
    assertThat(response.totalItems()).isEqualTo(ids.size());
    return ids;
  }

  private String make(String token) {
    return owner.token(Json.parse(token));
  }
}
