package io.tokenvault.server.e2e.token;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What each type of token takes, where it goes, and how it looks masked (decisions, section 4). */
final class TokenTypesTest {

  private static final int TELLING = 4;

  private final TenantFixture tenant = RunningVault.shared().newTenant();
  private final Client owner = tenant.owner();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          token                  | "anything"  | /general/high/
          token                  | {"number": "4242424242424242"} | /general/high/
          card                   | {"number": "4242424242424242"} | /pci/high/
          card                   | {"number": "378282246310005", "cvc": "1234"} | /pci/high/
          card                   | {"number": "6011000990139424", "expiration_month": 1} | /pci/high/
          card_number            | "4222222222222" | /pci/high/
          card_number            | "6304000000000000000" | /pci/high/
          bank                   | {"routing_number": "021000021", "account_number": "123"} | /bank/high/
          us_bank_account_number | "12345678901234567" | /bank/high/
          us_bank_account_number | "000" | /bank/high/
          us_bank_routing_number | "021000021" | /bank/low/
          social_security_number | "078051120" | /pii/high/
          social_security_number | "078-05-1120" | /pii/high/
          employer_id_number     | "123456789" | /pii/high/
          employer_id_number     | "12-3456789" | /pii/high/
          """)
  void goodDataGoesToTheTypesContainer(String type, String data, String container) {
    Response created = create(type, data).expect(201);

    assertThat(created.get("data")).isEqualTo(Json.parse(data));
    assertThat(Json.texts(created.get("containers"))).containsExactly(container);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          card | {"number": "4242424242424242", "expiration_month": 12, "expiration_year": 2030, \
          "cvc": "123"} | {"number": "XXXXXXXXXXXX4242", "expiration_month": 12, \
          "expiration_year": 2030}
          card | {"number": "378282246310005"} | {"number": "XXXXXXXXXXX0005"}
          card | {"number": "378282246310005", "expiration_year": 2031} | \
          {"number": "XXXXXXXXXXX0005", "expiration_year": 2031}
          bank | {"routing_number": "021000021", "account_number": "12345678"} | \
          {"routing_number": "021000021", "account_number": "XXXX5678"}
          card_number | "4242424242424242" | "XXXXXXXXXXXX4242"
          us_bank_account_number | "12345678" | "XXXX5678"
          us_bank_account_number | "1234" | "XXXX"
          us_bank_account_number | "123" | "XXX"
          us_bank_routing_number | "021000021" | "XXXXX0021"
          social_security_number | "078-05-1120" | "XXX-XX-1120"
          social_security_number | "078051120" | "XXXXX1120"
          employer_id_number | "12-3456789" | "XX-XXX6789"
          """)
  void theTypesMaskShowsLittle(String type, String data, String masked) {
    String id = create(type, data).expect(201).text("id");

    Client reader = tenant.reader("mask");

    assertThat(reader.get("/tokens/" + id).expect(200).get("data")).isEqualTo(Json.parse(masked));
    assertThat(reader.get("/tokens").get("data").path(0).path("data"))
        .isEqualTo(Json.parse(masked));
  }

  @Test
  void theTypeTokenHasNoMask() {
    String id = create("token", "\"secret\"").expect(201).text("id");

    assertThat(tenant.reader("mask").get("/tokens/" + id).expect(200).json().has("data")).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          card | "4242424242424242" | data
          card | [4242] | data
          card | {} | data.number
          card | {"cvc": "123"} | data.number
          card | {"number": null} | data.number
          card | {"number": 4242424242424242} | data.number
          card | {"number": "4242424242424241"} | data.number
          card | {"number": "424242424242"} | data.number
          card | {"number": "42424242424242424242"} | data.number
          card | {"number": "4242424242424242", "expiration_month": 0} | data.expiration_month
          card | {"number": "4242424242424242", "expiration_month": 13} | data.expiration_month
          card | {"number": "4242424242424242", "expiration_month": "12"} | data.expiration_month
          card | {"number": "4242424242424242", "expiration_month": 1.5} | data.expiration_month
          card | {"number": "4242424242424242", "expiration_year": 30} | data.expiration_year
          card | {"number": "4242424242424242", "expiration_year": "2030"} | data.expiration_year
          card | {"number": "4242424242424242", "cvc": 7291} | data.cvc
          card | {"number": "4242424242424242", "cvc": "72"} | data.cvc
          card | {"number": "4242424242424242", "cvc": "72913"} | data.cvc
          card_number | "4242424242424241" | data
          card_number | 4242424242424242 | data
          card_number | {"number": "4242424242424242"} | data
          card_number | "٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢" | data
          bank | "021000021" | data
          bank | {"routing_number": "021000021"} | data.account_number
          bank | {"account_number": "12345678"} | data.routing_number
          bank | {"routing_number": "021000022", "account_number": "12345678"} | data.routing_number
          bank | {"routing_number": "021000021", "account_number": "12"} | data.account_number
          us_bank_account_number | "12" | data
          us_bank_account_number | "123456789012345678" | data
          us_bank_account_number | "1234a" | data
          us_bank_routing_number | "021000022" | data
          us_bank_routing_number | "21000021" | data
          social_security_number | "078-05-112" | data
          social_security_number | "078 05 1120" | data
          social_security_number | 78051120 | data
          employer_id_number | "12-34567890" | data
          employer_id_number | "twelve-34" | data
          """)
  void badDataIsRefusedAndNotRepeated(String type, String data, String path) {
    Response refused = create(type, data).expectErrorsAt(path);

    assertThat(refused.told()).doesNotContain(texts(Json.parse(data)));
    assertThat(owner.get("/tokens").get("data")).isEmpty();
  }

  @Test
  void everythingThatIsWrongIsToldAtOnce() {
    create("card", "{\"number\": \"1\", \"cvc\": \"x\", \"expiration_month\": 99}")
        .expectErrorsAt("data.number", "data.cvc", "data.expiration_month");
    create("bank", "{}").expectErrorsAt("data.routing_number", "data.account_number");
  }

  @ParameterizedTest
  @ValueSource(strings = {"robot", "Card", "card ", "", "CARD_NUMBER"})
  void anUnknownTypeIsRefusedWithThoseThatExist(String type) {
    Response refused = create(type, "\"x\"").expectErrorsAt("type");

    assertThat(refused.errorsAt("type").toString())
        .contains("token", "card", "bank", "employer_id_number");
  }

  private Response create(String type, String data) {
    ObjectNode token = Json.object("type", type);
    return owner.post("/tokens", token.set("data", Json.parse(data)));
  }

  /** What would tell something of the data if it stood in a message. */
  private static List<String> texts(JsonNode data) {
    List<String> texts = new ArrayList<>();
    if (data.isContainerNode()) {
      data.forEach(each -> texts.addAll(texts(each)));
    } else if (data.asText().length() >= TELLING && !data.isNull()) {
      texts.add(data.asText());
    }
    return texts.isEmpty() ? List.of("no data but this") : texts;
  }
}
