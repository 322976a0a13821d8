package io.tokenvault.domain.token;

import static io.tokenvault.domain.json.JsonValue.JsonNull.NULL;
import static io.tokenvault.domain.json.JsonValues.array;
import static io.tokenvault.domain.json.JsonValues.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;
import static org.junit.jupiter.params.provider.EnumSource.Mode.EXCLUDE;

import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonNumber;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class DataShapeTest {

  private static final String VISA = "4242424242424242";
  private static final String CARD_NUMBER =
      "must be a string of 13 to 19 digits with a valid check digit (Luhn)";
  private static final String ROUTING_NUMBER =
      "must be a string of 9 digits with a valid check digit (ABA)";
  private static final String ACCOUNT_NUMBER = "must be a string of 3 to 17 digits";
  private static final String NINE_DIGITS = "must be a string of 9 digits, with or without dashes";
  private static final String MONTH = "must be a whole number from 1 to 12";
  private static final String YEAR = "must be a whole number of four digits";
  private static final String CVC = "must be a string of 3 or 4 digits";
  private static final String CARD_PROPERTIES =
      "number, and optionally expiration_month, expiration_year and cvc";

  static Stream<JsonValue> anyJson() {
    return Stream.of(
        JsonValue.of(""), JsonValue.of(0), JsonValue.of(false), array(NULL), object("a", NULL));
  }

  @ParameterizedTest
  @MethodSource("anyJson")
  void tokenTypeAcceptsAnyJson(JsonValue data) {
    assertThat(check(TokenType.TOKEN, data)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("anyJson")
  void otherTypesRejectArbitraryJson(JsonValue data) {
    for (TokenType type : TokenType.values()) {
      if (type != TokenType.TOKEN) {
        assertThat(check(type, data)).as(type.value()).isNotEmpty();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "card_number, 4222222222222", "card_number, 378282246310005",
    "card_number, 4242424242424242", "card_number, 6304000000000000000",
    "us_bank_account_number, 000", "us_bank_account_number, 12345678901234567",
    "us_bank_routing_number, 021000021", "us_bank_routing_number, 110000000",
    "social_security_number, 123456789", "social_security_number, 123-45-6789",
    "employer_id_number, 12-3456789", "employer_id_number, 1-2-3-4-5-6-7-8-9"
  })
  void validNumbersAreAccepted(String type, String text) {
    assertThat(check(TokenType.of(type).orElseThrow(), JsonValue.of(text))).isEmpty();
  }

  private static final Map<TokenType, String> NUMBER_MESSAGES =
      Map.of(
          TokenType.CARD_NUMBER, CARD_NUMBER,
          TokenType.US_BANK_ACCOUNT_NUMBER, ACCOUNT_NUMBER,
          TokenType.US_BANK_ROUTING_NUMBER, ROUTING_NUMBER,
          TokenType.SOCIAL_SECURITY_NUMBER, NINE_DIGITS);

  @ParameterizedTest
  @CsvSource({
    "CARD_NUMBER, ''", "CARD_NUMBER, 4242424242424241",
    "CARD_NUMBER, '4242 4242 4242 4242'", "CARD_NUMBER, 4242-4242-4242-4242",
    "CARD_NUMBER, 000000000000", "CARD_NUMBER, 00000000000000000000",
    "CARD_NUMBER, '4242424242424242\n'", "CARD_NUMBER, \u0664242424242424242",
    "US_BANK_ACCOUNT_NUMBER, ''", "US_BANK_ACCOUNT_NUMBER, 12",
    "US_BANK_ACCOUNT_NUMBER, 123456789012345678", "US_BANK_ACCOUNT_NUMBER, 12-34",
    "US_BANK_ACCOUNT_NUMBER, \u0661\u0662\u0663", "US_BANK_ROUTING_NUMBER, ''",
    "US_BANK_ROUTING_NUMBER, 021000022", "US_BANK_ROUTING_NUMBER, 02100002",
    "US_BANK_ROUTING_NUMBER, 0210000210", "US_BANK_ROUTING_NUMBER, 02100002\u0661",
    "SOCIAL_SECURITY_NUMBER, ''", "SOCIAL_SECURITY_NUMBER, ---",
    "SOCIAL_SECURITY_NUMBER, 12345678", "SOCIAL_SECURITY_NUMBER, 1234567890",
    "SOCIAL_SECURITY_NUMBER, -123456789", "SOCIAL_SECURITY_NUMBER, 123456789-",
    "SOCIAL_SECURITY_NUMBER, 123--456789", "SOCIAL_SECURITY_NUMBER, '123 45 6789'",
    "SOCIAL_SECURITY_NUMBER, 123\u201345\u20136789", "SOCIAL_SECURITY_NUMBER, 12345678\u0661"
  })
  void invalidNumbersAreRejected(TokenType type, String text) {
    assertThat(check(type, JsonValue.of(text)))
        .isEqualTo(Map.of("data", List.of(NUMBER_MESSAGES.get(type))));
  }

  @ParameterizedTest
  @EnumSource(
      mode = EXCLUDE,
      names = {"TOKEN", "CARD", "BANK"})
  void jsonNumbersAreRejected(TokenType type) {
    assertThat(check(type, JsonValue.of(110000000))).containsOnlyKeys("data");
  }

  static Stream<JsonValue> validCards() {
    return Stream.of(
        object("number", VISA),
        card("expiration_month", 1, "expiration_year", 1000),
        card("expiration_month", 12, "expiration_year", 9999),
        card("cvc", "012"),
        card("cvc", "0123"),
        card("expiration_month", NULL, "expiration_year", NULL, "cvc", NULL));
  }

  @ParameterizedTest
  @MethodSource("validCards")
  void cardWithNumberAndOptionalPropertiesIsAccepted(JsonValue data) {
    assertThat(check(TokenType.CARD, data)).isEmpty();
  }

  static Stream<Arguments> invalidCards() {
    return Stream.of(
        arguments(object(), "data.number", "is required"),
        arguments(object("number", NULL), "data.number", "is required"),
        arguments(object("number", "4242424242424241"), "data.number", CARD_NUMBER),
        arguments(object("number", number("4242424242424242")), "data.number", CARD_NUMBER),
        arguments(card("expiration_month", number("0")), "data.expiration_month", MONTH),
        arguments(card("expiration_month", number("13")), "data.expiration_month", MONTH),
        arguments(card("expiration_month", number("-1")), "data.expiration_month", MONTH),
        arguments(card("expiration_month", number("1.0")), "data.expiration_month", MONTH),
        arguments(card("expiration_month", number("1e1")), "data.expiration_month", MONTH),
        arguments(card("expiration_month", "1"), "data.expiration_month", MONTH),
        arguments(card("expiration_year", number("999")), "data.expiration_year", YEAR),
        arguments(card("expiration_year", number("10000")), "data.expiration_year", YEAR),
        arguments(card("expiration_year", "2030"), "data.expiration_year", YEAR),
        arguments(card("cvc", "12"), "data.cvc", CVC),
        arguments(card("cvc", "12345"), "data.cvc", CVC),
        arguments(card("cvc", "\u0661\u0662\u0663"), "data.cvc", CVC),
        arguments(card("cvc", number("123")), "data.cvc", CVC),
        arguments(
            card("marker", "x"),
            "data",
            "has unknown properties for a card; the properties of a card are " + CARD_PROPERTIES),
        arguments(
            card("marker", NULL),
            "data",
            "has unknown properties for a card; the properties of a card are " + CARD_PROPERTIES),
        arguments(JsonValue.of(VISA), "data", "must be an object with " + CARD_PROPERTIES));
  }

  @ParameterizedTest
  @MethodSource("invalidCards")
  void cardViolationIsReportedAtItsPath(JsonValue data, String path, String message) {
    assertThat(check(TokenType.CARD, data)).isEqualTo(Map.of(path, List.of(message)));
  }

  static Stream<Arguments> invalidBanks() {
    String properties = "routing_number and account_number";
    return Stream.of(
        arguments(object("routing_number", "021000021"), "data.account_number", "is required"),
        arguments(object("account_number", "12345"), "data.routing_number", "is required"),
        arguments(bank("021000022", "12345"), "data.routing_number", ROUTING_NUMBER),
        arguments(bank("021000021", "12"), "data.account_number", ACCOUNT_NUMBER),
        arguments(
            object("routing_number", "021000021", "account_number", "12345", "marker", "x"),
            "data",
            "has unknown properties for a bank; the properties of a bank are " + properties),
        arguments(array(), "data", "must be an object with " + properties));
  }

  @ParameterizedTest
  @MethodSource("invalidBanks")
  void bankViolationIsReportedAtItsPath(JsonValue data, String path, String message) {
    assertThat(check(TokenType.BANK, data)).isEqualTo(Map.of(path, List.of(message)));
  }

  @Test
  void allViolationsAreReportedTogetherWithoutValues() {
    Map<String, JsonValue> properties = new LinkedHashMap<>();
    for (String name : List.of("number", "expiration_month", "expiration_year", "cvc", "marker")) {
      properties.put(name, JsonValue.of("marker"));
    }
    JsonObject data = new JsonObject(properties);

    assertThat(check(TokenType.CARD, data))
        .containsOnlyKeys(
            "data", "data.number", "data.expiration_month", "data.expiration_year", "data.cvc");
    assertThat(check(TokenType.CARD, data).toString()).doesNotContain("marker");
  }

  @Test
  void tokenTypeHasNoDefaultMask() {
    assertThat(TokenType.TOKEN.defaultMask(JsonValue.of("x"))).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      mode = EXCLUDE,
      names = {"TOKEN", "CARD", "BANK"})
  void numberMaskShowsLastFour(TokenType type) {
    assertThat(type.defaultMask(JsonValue.of("110000000")))
        .contains(JsonValue.of("{{ data | reveal_last: 4 }}"));
  }

  @Test
  void cardMaskShowsLastFourMonthAndYear() {
    JsonObject data = card("cvc", "123", "expiration_year", 2030, "expiration_month", 7);

    assertThat(TokenType.CARD.defaultMask(data))
        .contains(
            object(
                "number",
                "{{ data.number | reveal_last: 4 }}",
                "expiration_month",
                "{{ data.expiration_month }}",
                "expiration_year",
                "{{ data.expiration_year }}"));
  }

  @Test
  void cardMaskOmitsAbsentProperties() {
    JsonObject mask = object("number", "{{ data.number | reveal_last: 4 }}");

    assertThat(TokenType.CARD.defaultMask(object("number", VISA))).contains(mask);
    assertThat(TokenType.CARD.defaultMask(card("expiration_month", NULL, "cvc", NULL)))
        .contains(mask);
  }

  @Test
  void bankMaskHidesAccountNumberExceptLastFour() {
    assertThat(TokenType.BANK.defaultMask(bank("021000021", "12345")))
        .contains(
            object(
                "routing_number",
                "{{ data.routing_number }}",
                "account_number",
                "{{ data.account_number | reveal_last: 4 }}"));
  }

  static Stream<Arguments> fingerprints() {
    JsonValue text = JsonValue.of("x");
    return Stream.of(
        arguments(TokenType.TOKEN, text, "{{ data | stringify }}"),
        arguments(TokenType.CARD, object("number", VISA), "{{ data.number }}"),
        arguments(
            TokenType.CARD,
            card("expiration_year", 2030, "expiration_month", 1),
            "{{ data.number }}/{{ data.expiration_month }}/{{ data.expiration_year }}"),
        arguments(
            TokenType.CARD,
            card("expiration_month", NULL, "expiration_year", 2030),
            "{{ data.number }}/{{ data.expiration_year }}"),
        arguments(TokenType.CARD, card("cvc", "123"), "{{ data.number }}"),
        arguments(
            TokenType.BANK,
            bank("021000021", "12345"),
            "{{ data.routing_number }}/{{ data.account_number }}"),
        arguments(TokenType.CARD_NUMBER, text, "{{ data }}"),
        arguments(TokenType.US_BANK_ACCOUNT_NUMBER, text, "{{ data }}"),
        arguments(TokenType.US_BANK_ROUTING_NUMBER, text, "{{ data }}"),
        arguments(TokenType.SOCIAL_SECURITY_NUMBER, text, "{{ data | remove: '-' }}"),
        arguments(TokenType.EMPLOYER_ID_NUMBER, text, "{{ data | remove: '-' }}"));
  }

  @ParameterizedTest
  @MethodSource("fingerprints")
  void everyTypeHasDefaultFingerprintExpression(TokenType type, JsonValue data, String expression) {
    assertThat(type.defaultFingerprint(data)).isEqualTo(expression);
  }

  private static JsonObject card(Object... more) {
    Map<String, JsonValue> properties = new LinkedHashMap<>(object("number", VISA).properties());
    properties.putAll(object(more).properties());
    return new JsonObject(properties);
  }

  private static JsonObject bank(String routingNumber, String accountNumber) {
    return object("routing_number", routingNumber, "account_number", accountNumber);
  }

  private static JsonNumber number(String literal) {
    return new JsonNumber(literal);
  }

  private static Map<String, List<String>> check(TokenType type, JsonValue data) {
    Violations violations = new Violations();
    type.check(data, violations);
    return violations.asMap();
  }

  @Property
  void exactlyOneCheckDigitCompletesCardNumber(
      @ForAll @CharRange(from = '0', to = '9') @StringLength(min = 12, max = 18) String digits) {
    assertThat(lastDigits(digits, true)).isEqualTo(1);
  }

  @Property
  void exactlyOneCheckDigitCompletesRoutingNumber(
      @ForAll @CharRange(from = '0', to = '9') @StringLength(8) String digits) {
    assertThat(lastDigits(digits, false)).isEqualTo(1);
  }

  @Property
  void mistypedRoutingNumberDigitIsDetected(
      @ForAll @CharRange(from = '0', to = '9') @StringLength(8) String digits,
      @ForAll @IntRange(min = 0, max = 7) int place,
      @ForAll @IntRange(min = 1, max = 9) int difference) {
    String right = complete(digits);
    char[] wrong = right.toCharArray();
    wrong[place] = (char) ('0' + (wrong[place] - '0' + difference) % 10);

    assertThat(DataShape.isRoutingNumber(new String(wrong))).isFalse();
  }

  private static String complete(String digits) {
    for (int last = 0; last < 10; last++) {
      if (DataShape.isRoutingNumber(digits + last)) {
        return digits + last;
      }
    }
    throw new AssertionError("no valid check digit");
  }

  private static int lastDigits(String digits, boolean isCard) {
    int found = 0;
    for (int last = 0; last < 10; last++) {
      String number = digits + last;
      found +=
          (isCard ? DataShape.isCardNumber(number) : DataShape.isRoutingNumber(number)) ? 1 : 0;
    }
    return found;
  }

  @ParameterizedTest
  @CsvSource({
    "token, /general/high/", "card, /pci/high/",
    "bank, /bank/high/", "card_number, /pci/high/",
    "us_bank_account_number, /bank/high/", "us_bank_routing_number, /bank/low/",
    "social_security_number, /pii/high/", "employer_id_number, /pii/high/"
  })
  void typeHasDefaultContainer(String value, String container) {
    TokenType type = TokenType.of(value).orElseThrow();

    assertThat(type.value()).isEqualTo(value);
    assertThat(type.defaultContainer()).hasToString(container);
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", "Card", "CARD", "card ", "credit_card"})
  void unknownValueReturnsNoType(String value) {
    assertThat(TokenType.of(value)).isEmpty();
  }
}
