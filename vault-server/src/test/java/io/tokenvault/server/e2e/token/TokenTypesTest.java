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
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What types of tokens take, where these go, and what their masks and others show. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TokenTypesTest {

  private final TenantFixture tenant = RunningVault.shared().newTenant();
  private final Client owner = tenant.owner();
  private final Client masked = tenant.reader("mask");
  private final Client redacted = tenant.reader("redact");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          card | {"number": "4242424242424242", "expiration_year": 2030, "cvc": "123"} \
          | /pci/high/ | {"number": "XXXXXXXXXXXX4242", "expiration_year": 2030}
          card_number | "378282246310005" | /pci/high/ | "XXXXXXXXXXX0005"
          bank | {"routing_number": "021000021", "account_number": "12345678"} \
          | /bank/high/ | {"routing_number": "021000021", "account_number": "XXXX5678"}
          us_bank_account_number | "1234" | /bank/high/ | "XXXX"
          us_bank_routing_number | "021000021" | /bank/low/ | "XXXXX0021"
          social_security_number | "078-05-1120" | /pii/high/ | "XXX-XX-1120"
          employer_id_number | "12-3456789" | /pii/high/ | "XX-XXX6789"
          """)
  void typeHasAContainerAndAMask(String type, String data, String container, String mask) {
    Response created = create(type, data).expect(201);

    assertThat(created.get("data")).isEqualTo(Json.parse(data));
    assertThat(Json.texts(created.get("containers"))).containsExactly(container);
    String id = created.text("id");
    assertThat(masked.get("/tokens/" + id).expect(200).get("data")).isEqualTo(Json.parse(mask));
    assertThat(masked.get("/tokens?id=" + id).get("data").path(0).path("data"))
        .isEqualTo(Json.parse(mask));
    assertThat(redacted.get("/tokens/" + id).expect(200).json().has("data")).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          card | {} | data.number
          card | {"number": "4242424242424242", "expiration_month": 13} | data.expiration_month
          card | {"number": "4242424242424242", "expiration_year": 30} | data.expiration_year
          card | {"number": "4242424242424242", "cvc": "72913"} | data.cvc
          card_number | "4242424242424241" | data
          bank | {"account_number": "12345678"} | data.routing_number
          bank | {"routing_number": "021000021", "account_number": "12"} | data.account_number
          us_bank_account_number | "1234a" | data
          us_bank_routing_number | "021000022" | data
          social_security_number | "078 05 1120" | data
          employer_id_number | "twelve-34" | data
          """)
  void wrongDataAreRefusedAndNotRepeated(String type, String data, String path) {
    Response refused = create(type, data).expectErrorsAt(path);

    assertThat(refused.told())
        .doesNotContain("424242", "72913", "12345678", "1234a", "021000", "078 05", "twelve-34");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "secret"          | `"{{ data | reveal_last: 2 }}"`           | "XXXXet"
          "secret"          | `["{{ data | slice: 0 }}", 1, true, {}]`  | ["s", 1, true, {}]
          "secret"          | `{"a": {"b": ["{{ data | upcase }}"]}}`   | {"a": {"b": ["SECRET"]}}
          {"a": [1, {}]}    | `{"x": "{{ data.a }}"}`                   | {"x": [1, {}]}
          {"a": 1, "b": 2}  | `{"a": "{{ data.a }}"}`                   | {"a": 1}
          "{{ data }}{% x %}" | `"{{ data }}"`                          | "{{ data }}{% x %}"
          """)
  void maskOfATokenShowsWhatItMakesOfTheData(String data, String mask, String expected) {
    String id = create(token(data, mask)).expect(201).text("id");

    assertThat(masked.get("/tokens/" + id).expect(200).get("data")).isEqualTo(Json.parse(expected));
    assertThat(redacted.get("/tokens/" + id).expect(200).json().has("data")).isFalse();
  }

  @Test
  void tokenWithoutAMaskShowsNothing() {
    String id = create("token", "\"secret\"").expect(201).text("id");

    assertThat(masked.get("/tokens/" + id).expect(200).json().has("data")).isFalse();
  }

  @Test
  void expressionsAreShownOnlyWithTheData() {
    ObjectNode token = token("\"secret\"", "\"{{ data | reveal_last: 2 }}\"");
    token.put("fingerprint_expression", "{{ data | downcase }}");
    token.set("search_indexes", Json.of(List.of("{{ data }}")));
    Response created = create(token).expect(201);
    String path = "/tokens/" + created.text("id");

    for (String property : List.of("mask", "fingerprint_expression", "search_indexes")) {
      assertThat(created.get(property)).isEqualTo(token.get(property));
      assertThat(owner.get(path).get(property)).isEqualTo(token.get(property));
      assertThat(masked.get(path).expect(200).json().has(property)).isFalse();
      assertThat(redacted.get(path).expect(200).json().has(property)).isFalse();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "planted" | `"{{ data | nonsense }}"`              | mask
          "planted" | `"{{ data | to_number }}"`             | mask
          "planted" | `{"a": {"b": ["{{ data }}", "{{ data | nonsense }}"]}}` | mask.a.b[1]
          {"a": "planted"} | `{"x": "{{ data.b }}"}`         | mask.x
          """)
  void maskThatFailsOnTheDataIsRefused(String data, String mask, String path) {
    assertThat(create(token(data, mask)).expectErrorsAt(path).text()).doesNotContain("planted");
  }

  @Test
  void changeAfterWhichTheMaskWouldFailIsRefused() {
    String path =
        "/tokens/"
            + owner.token(
                token("{\"a\": \"secret\", \"b\": 1}", "{\"x\": \"{{ data.a | upcase }}\"}"));
    JsonNode before = owner.get(path).json();

    owner.patch(path, "{\"data\": {\"a\": null}}").expectErrorsAt("mask.x");
    owner.patch(path, "{\"mask\": {\"y\": \"{{ data.c }}\"}}").expectErrorsAt("mask.y");

    assertThat(owner.get(path).json()).isEqualTo(before);
  }

  private Response create(String type, String data) {
    ObjectNode token = Json.object("type", type);
    return create(token.set("data", Json.parse(data)));
  }

  private Response create(JsonNode token) {
    return owner.post("/tokens", token);
  }

  private static ObjectNode token(String data, String mask) {
    return Json.object("type", "token", "data", Json.parse(data), "mask", Json.parse(mask));
  }
}
