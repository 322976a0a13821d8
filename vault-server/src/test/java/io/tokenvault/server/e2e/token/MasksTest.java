package io.tokenvault.server.e2e.token;

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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Masks that a token is given, and what they show. */
final class MasksTest {

  private final TenantFixture tenant = RunningVault.shared().newTenant();
  private final Client owner = tenant.owner();
  private final Client masked = tenant.reader("mask");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "secret"          | `"{{ data | reveal_last: 2 }}"`           | "XXXXet"
          "secret"          | `"fixed"`                                 | "fixed"
          "secret"          | `["{{ data | slice: 0 }}", 1, true, {}]`  | ["s", 1, true, {}]
          "secret"          | 42                                        | 42
          "secret"          | `"<{{ data | size }}>"`                   | "<6>"
          "secret"          | `{"a": {"b": ["{{ data | upcase }}"]}}`   | {"a": {"b": ["SECRET"]}}
          42                | `"{{ data }}"`                            | 42
          42                | `"n{{ data }}"`                           | "n42"
          true              | `["{{ data }}"]`                          | [true]
          {"a": [1, {}]}    | `"{{ data }}"`                            | {"a": [1, {}]}
          {"a": [1, {}]}    | `{"x": "{{ data.a }}"}`                   | {"x": [1, {}]}
          {"a": 1, "b": 2}  | `{"a": "{{ data.a }}"}`                   | {"a": 1}
          {"a": "1"}        | `{"a": "{{ data.a | to_number }}"}`       | {"a": 1}
          {"a": 1}          | `{"{{ data.a }}": "k"}`                   | {"{{ data.a }}": "k"}
          "{{ data }}{% x %}" | `"{{ data }}"`                          | "{{ data }}{% x %}"
          """)
  void aMaskMayHaveAnyShape(String data, String mask, String expected) {
    String id = create(data, mask).expect(201).text("id");

    assertThat(masked.get("/tokens/" + id).expect(200).get("data")).isEqualTo(Json.parse(expected));
    assertThat(masked.get("/tokens").get("data").path(0).path("data"))
        .isEqualTo(Json.parse(expected));
  }

  @Test
  void propertiesThatTheMaskLeavesOutAreRedacted() {
    String id =
        create(
                "{\"name\": \"Ada\", \"ssn\": \"078-05-1120\"}",
                "{\"ssn\": \"{{ data.ssn | reveal_last: 4 }}\"}")
            .expect(201)
            .text("id");

    Response response = masked.get("/tokens/" + id).expect(200);

    assertThat(response.get("data")).isEqualTo(Json.object("ssn", "XXX-XX-1120"));
    assertThat(response.text()).doesNotContain("Ada");
  }

  @Test
  void charactersBeyondTheBasicPlaneAreMaskedWhole() {
    String id = create("\"é🔑🎲🎯\"", "\"{{ data | reveal_last: 1 }}\"").expect(201).text("id");

    assertThat(masked.get("/tokens/" + id).text("data")).isEqualTo("XXX🎯");
  }

  @Test
  void theExpressionsThemselvesAreShownWithTheDataOnly() {
    ObjectNode token =
        token("\"secret\"", "\"{{ data | reveal_last: 2 }}\"")
            .put("fingerprint_expression", "{{ data | downcase }}")
            .set("search_indexes", Json.of(List.of("{{ data }}")));
    String id = owner.post("/tokens", token).expect(201).text("id");

    assertThat(owner.get("/tokens/" + id).text("mask")).isEqualTo("{{ data | reveal_last: 2 }}");
    assertThat(owner.get("/tokens/" + id).text("fingerprint_expression"))
        .isEqualTo("{{ data | downcase }}");
    assertThat(Json.texts(owner.get("/tokens/" + id).get("search_indexes")))
        .containsExactly("{{ data }}");
    for (String transform : List.of("mask", "redact")) {
      assertThat(Json.names(tenant.reader(transform).get("/tokens/" + id).expect(200).json()))
          .doesNotContain("mask", "fingerprint_expression", "search_indexes");
    }
  }

  @Test
  void redactingLeavesDataOutWhateverTheMask() {
    String id = create("\"secret\"", "\"fixed\"").expect(201).text("id");
    Client redacted = tenant.reader("redact");

    assertThat(redacted.get("/tokens/" + id).expect(200).json().has("data")).isFalse();
    assertThat(redacted.get("/tokens").get("data").path(0).has("data")).isFalse();
  }

  @Test
  void whoCreatesUnderAMaskSeesTheMask() {
    Client creator = tenant.application("public", "token:create");

    Response created =
        creator.post("/tokens", token("\"secret\"", "\"{{ data | reveal_last: 2 }}\"")).expect(201);

    assertThat(created.text("data")).isEqualTo("XXXXet");
    assertThat(Json.names(created.json())).doesNotContain("mask");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "planted" | `"{{ data | nonsense }}"`              | mask
          "planted" | `"{{ nothing }}"`                      | mask
          "planted" | `"{{ data.member }}"`                  | mask
          "planted" | `"{{ metadata }}"`                     | mask
          "planted" | `"{{ data | to_number }}"`             | mask
          "planted" | `"{{ data | reveal_last }}"`           | mask
          "planted" | `{"a": {"b": ["{{ data }}", "{{ data | nonsense }}"]}}` | mask.a.b[1]
          "planted" | `"{{ data | reveal_last: 2"`           | mask
          "planted" | `{"a": ["x", "{% include 'x' %}"]}`    | mask.a[1]
          {"a": "planted"} | `{"x": "{{ data.b }}"}`         | mask.x
          """)
  void aMaskThatFailsOnTheDataIsRefusedWhereItFails(String data, String mask, String path) {
    Response refused = create(data, mask).expectErrorsAt(path);

    assertThat(refused.text()).doesNotContain("planted");
    assertThat(owner.get("/tokens").get("data")).isEmpty();
  }

  @Test
  void aChangeAfterWhichTheMaskWouldFailIsRefused() {
    String id =
        create("{\"a\": \"secret\", \"b\": 1}", "{\"x\": \"{{ data.a | upcase }}\"}")
            .expect(201)
            .text("id");
    JsonNode before = owner.get("/tokens/" + id).json();

    owner.patch("/tokens/" + id, "{\"data\": {\"a\": null}}").expectErrorsAt("mask.x");
    owner.patch("/tokens/" + id, "{\"mask\": {\"y\": \"{{ data.c }}\"}}").expectErrorsAt("mask.y");
    owner.patch("/tokens/" + id, "{\"mask\": {\"y\": \"{{ data.a\"}}").expectErrorsAt("mask.y");

    assertThat(owner.get("/tokens/" + id).json()).isEqualTo(before);
  }

  @Test
  void aMaskCannotPrintMoreThanAMebibyte() {
    create(
            Json.of("d".repeat(600_000)).toString(),
            "[\"{{ data | size }}\", \"{{ data }}\", \"{{ data }}\"]")
        .expect(400);
  }

  private Response create(String data, String mask) {
    return owner.post("/tokens", token(data, mask));
  }

  private static ObjectNode token(String data, String mask) {
    return Json.object("type", "token", "data", Json.parse(data), "mask", Json.parse(mask));
  }
}
