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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Changing tokens by a JSON merge patch. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TokenPatchTest {

  private static final int MANY = 32;

  private final TenantFixture tenant = RunningVault.shared().newTenant();
  private final Client owner = tenant.owner();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"a": 1, "b": 2}       | {"b": 3}               | {"a": 1, "b": 3}
          {"a": 1, "b": 2}       | {"b": null}            | {"a": 1}
          {"a": {"x": 1}}        | {"a": {"y": 2}}        | {"a": {"x": 1, "y": 2}}
          "text"                 | {"a": {"b": null}}     | {"a": {}}
          """)
  void dataIsMerged(String before, String patch, String after) {
    String id = created("{\"data\": " + before + "}");

    Response changed = owner.patch(path(id), "{\"data\": " + patch + "}").expect(200);

    assertThat(changed.get("data")).isEqualTo(Json.parse(after));
    assertThat(owner.get(path(id)).expect(200).json()).isEqualTo(changed.json());
  }

  @Test
  void otherPropertiesAreReplaced() {
    String id =
        created(
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
  void nullResetsPropertyToDefault() {
    String id =
        created(
            """
            {"type": "social_security_number", "data": "078-05-1120", "mask": "x",
             "containers": ["/a/"], "expires_at": "2099-01-01T00:00:00Z", "metadata": {"k": "v"},
             "search_indexes": ["{{ data }}"], "fingerprint_expression": "{{ data }}x"}\
            """);
    String standard = created("{\"type\": \"social_security_number\", \"data\": \"078051120\"}");

    Response changed =
        owner
            .patch(
                path(id),
                """
                {"mask": null, "containers": null, "expires_at": null, "metadata": null,
                 "search_indexes": null, "fingerprint_expression": null}\
                """)
            .expect(200);

    assertThat(Json.names(changed.json()))
        .doesNotContain("mask", "expires_at", "fingerprint_expression");
    assertThat(changed.get("metadata")).isEmpty();
    assertThat(changed.get("search_indexes")).isEmpty();
    assertThat(Json.texts(changed.get("containers"))).containsExactly("/pii/high/");
    assertThat(changed.get("fingerprint")).isEqualTo(owner.get(path(standard)).get("fingerprint"));
    assertThat(tenant.reader("mask").get(path(id)).text("data")).isEqualTo("XXX-XX-1120");
    assertThat(found("data:\"078-05-1120\"")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"data": {"number": "4242424242424241"}}       | data.number
          {"containers": ["pci"]}                        | containers[0]
          {"metadata": {"k": 1}}                         | metadata.k
          {"expires_at": "2020-01-01T00:00:00Z"}         | expires_at
          `{"search_indexes": ["{{ data | nonsense }}"]}` | search_indexes[0]
          `{"mask": "{{ data | nonsense }}"}`            | mask
          {"id": "other"}                                | id
          {"type": "token"}                              | type
          {"metdata": {}}                                | metdata
          """)
  void invalidPatchIsRejectedByField(String patch, String path) {
    String id = created("{\"type\": \"card\", \"data\": {\"number\": \"4242424242424242\"}}");
    JsonNode before = owner.get(path(id)).json();

    owner.patch(path(id), patch).expectErrorsAt(path);

    assertThat(owner.get(path(id)).json()).isEqualTo(before);
  }

  @Test
  void unknownOrForeignTokenIsNotFound() {
    String foreign = RunningVault.shared().newTenant().owner().token("x");

    owner.patch(path("nothing"), "{\"data\": \"y\"}").expectProblem(404, "not-found");
    owner.patch(path(foreign), "{\"data\": \"y\"}").expectProblem(404, "not-found");
  }

  @Test
  void responseUsesWeakerTransformOfUpdateAndRead() {
    assertThat(answerUnder("reveal", "reveal").text("data")).isEqualTo("secret");
    assertThat(answerUnder("mask", "reveal").text("data")).isEqualTo("XXXXet");
    assertThat(answerUnder("redact", "reveal").json().has("data")).isFalse();
  }

  private Response answerUnder(String update, String read) {
    String id = masked();
    Client editor =
        tenant.ruled(rule(1, "/", update, "token:update"), rule(2, "/", read, "token:read"));
    return editor.patch(path(id), "{\"metadata\": {\"k\": \"v\"}}").expect(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"mask\": \"{{ data }}\"}",
        "{\"search_indexes\": [\"{{ data.a }}\"]}",
        "{\"mask\": \"{{ data }}\", \"data\": {}}"
      })
  void maskOrIndexChangeRequiresRevealOfRemainingData(String patch) {
    String id = created("{\"data\": {\"a\": \"s\", \"b\": \"t\"}, \"mask\": \"fixed\"}");
    JsonNode before = owner.get(path(id)).json();
    for (Client editor :
        List.of(
            tenant.ruled(rule(1, "/", "reveal", "token:update")),
            tenant.ruled(
                rule(1, "/", "reveal", "token:update"), rule(2, "/", "mask", "token:read")))) {
      editor.patch(path(id), patch).expectProblem(403, "forbidden");
    }

    assertThat(owner.get(path(id)).json()).isEqualTo(before);
    owner.patch(path(id), patch).expect(200);
  }

  @Test
  void tokenIsNotMovedToWhereItsMoverMayDoMore() {
    Client mover =
        tenant.ruled(
            rule(1, "/", "reveal", "token:update"),
            rule(2, "/open/", "reveal", "token:use"),
            rule(3, "/half/", "mask", "token:read"));
    String id = owner.token("secret", "/closed/");

    mover.patch(path(id), "{\"containers\": [\"/open/\"]}").expectProblem(403, "forbidden");
    mover.patch(path(id), "{\"containers\": [\"/half/\"]}").expectProblem(403, "forbidden");
    mover
        .patch(path(id), "{\"containers\": [\"/closed/\", \"/open/\"]}")
        .expectProblem(403, "forbidden");

    assertThat(Json.texts(owner.get(path(id)).get("containers"))).containsExactly("/closed/");
    mover.patch(path(id), "{\"containers\": [\"/closed/too/\"]}").expect(200);
  }

  @Test
  void acceptedConcurrentChangesAllApply() {
    String id = created("{\"data\": {\"n\": 0}}");
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

  @Test
  void changesFailingOnStoredDataRevealNothingUnrecorded() {
    String id = created("{\"type\": \"card_number\", \"data\": \"4242424242424242\"}");
    Client prober = tenant.ruled(rule(1, "/", "reveal", "token:read", "token:update"));
    Set<JsonNode> messages = new HashSet<>();

    for (int i = 0; i < 10; i++) {
      String mask =
          "{{ data | slice: %d, 1 | replace: '%d', 'x' | to_number }}".formatted(i / 5, i % 5);
      Response refused =
          prober
              .patch(path(id), Json.object("mask", mask, "search_indexes", List.of("{{data.no}}")))
              .expect(400);
      refused.get("errors").forEach(messages::add);
    }

    assertThat(messages)
        .containsExactly(Json.of(List.of("cannot be evaluated on the data of this token")));
    assertThat(tenant.operations("actor_id=" + prober.id()))
        .hasSize(10)
        .containsOnly("read card_number " + id);
  }

  private String masked() {
    return created("{\"data\": \"secret\", \"mask\": \"{{ data | reveal_last: 2 }}\"}");
  }

  /** A token of these properties, of type {@code token} unless they say otherwise. */
  private String created(String properties) {
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
