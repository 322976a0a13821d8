package io.tokenvault.server.e2e.token;

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

/** Searches for tokens by queries in a subset of the Lucene query syntax. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TokenSearchTest {

  private final TenantFixture tenant = RunningVault.shared().newTenant();
  private final Client owner = tenant.owner();

  /** The oldest of three tokens. */
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
  void resultsArePagedAndShownLikeLists() {
    ObjectNode search = Json.object("query", "NOT id:nothing", "size", 2);
    Response page = owner.post("/tokens/search", search).expect(200);

    assertThat(Json.each(page.get("data"), "id")).containsExactly(third, second);
    assertThat(page.get("data").path(1).path("data").asText()).isEqualTo("planted");
    page.expectPage(1, 2, 3, 2);
    Response last = owner.post("/tokens/search", search.put("page", 2)).expect(200);
    assertThat(Json.each(last.get("data"), "id")).containsExactly(first);
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
