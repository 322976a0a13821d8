package io.tokenvault.server.e2e.token;

import static io.tokenvault.server.e2e.fixture.TenantFixture.rule;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.ConcurrentRequests;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Changes of tokens by JSON merge patches. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TokenPatchTest {

  private static final int MANY = 32;

  private final TenantFixture tenant = RunningVault.shared().newTenant();
  private final Client owner = tenant.owner();

  @Test
  void otherPropertiesAreReplaced() {
    String id =
        create(
            """
            {"data": "secret", "containers": ["/a/", "/b/"], "expires_at": "2099-01-01T00:00:00Z",
             "search_indexes": ["{{ data }}", "{{ data | upcase }}"],
             "fingerprint_expression": "{{ data }}"}\
            """);
    String fingerprint = owner.get(path(id)).text("fingerprint");

    Response changed =
        owner
            .patch(
                path(id),
                """
                {"containers": ["/C/"], "expires_at": "2098-01-01T00:00:00Z",
                 "search_indexes": ["{{ data | size }}"],
                 "fingerprint_expression": "{{ data | upcase }}"}\
                """)
            .expect(200);

    assertThat(Json.texts(changed.get("containers"))).containsExactly("/c/");
    assertThat(OffsetDateTime.parse(changed.text("expires_at")))
        .isEqualTo(OffsetDateTime.parse("2098-01-01T00:00:00Z"));
    assertThat(Json.texts(changed.get("search_indexes"))).containsExactly("{{ data | size }}");
    assertThat(changed.text("fingerprint_expression")).isEqualTo("{{ data | upcase }}");
    assertThat(changed.text("fingerprint")).isNotEqualTo(fingerprint);
    assertThat(found("data:6")).containsExactly(id);
    assertThat(found("data:secret")).isEmpty();
  }

  @Test
  void tokenIsNotMovedToContainerWithMorePermissions() {
    Client mover =
        tenant.applicationWithRules(
            rule(1, "/", "reveal", "token:update"),
            rule(2, "/open/", "reveal", "token:use"),
            rule(3, "/half/", "mask", "token:read"));
    String id = owner.token("secret", "/closed/");

    mover.patch(path(id), "{\"containers\": [\"/open/\"]}").expectProblem(403, "forbidden");
    mover.patch(path(id), "{\"containers\": [\"/half/\"]}").expectProblem(403, "forbidden");

    mover.patch(path(id), "{\"containers\": [\"/closed/too/\"]}").expect(200);
  }

  @Test
  void acceptedConcurrentChangesAllApply() {
    String id = create("{\"data\": {\"n\": 0}}");
    List<Callable<Response>> requests =
        IntStream.range(0, MANY).<Callable<Response>>mapToObj(i -> () -> add(id, i)).toList();

    List<Response> responses = ConcurrentRequests.send(requests);

    JsonNode after = owner.get(path(id)).json();
    for (int i = 0; i < MANY; i++) {
      if (responses.get(i).status() == 200) {
        assertThat(after.path("metadata").path("k" + i).asText()).isEqualTo("v" + i);
        assertThat(after.path("data").path("k" + i).asInt()).isEqualTo(i);
      } else {
        assertThat(responses.get(i).status()).as("%s", responses.get(i)).isIn(409, 503);
        assertThat(after.path("metadata").has("k" + i)).isFalse();
        assertThat(after.path("data").has("k" + i)).isFalse();
      }
    }
    assertThat(responses.stream().filter(response -> response.status() == 200)).isNotEmpty();
  }

  private Response add(String id, int i) {
    return owner.patch(
        path(id),
        Json.object("metadata", Json.object("k" + i, "v" + i), "data", Json.object("k" + i, i)));
  }

  /** Creates a token with these properties, by default of type {@code token}. */
  private String create(String properties) {
    ObjectNode token = Json.object("type", "token");
    return owner.token(token.setAll((ObjectNode) Json.parse(properties)));
  }

  private List<String> found(String query) {
    return Json.each(
        owner.post("/tokens/search", Json.object("query", query)).expect(200).get("data"), "id");
  }

  private static String path(String id) {
    return "/tokens/" + id;
  }
}
