package io.tokenvault.domain.token;

import static java.util.stream.Collectors.joining;

import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonNull;
import io.tokenvault.domain.json.JsonValue.JsonNumber;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.JsonValue.JsonString;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The schema of a token type's data, its default mask and its default fingerprint expression. */
enum DataShape {
  ANY {
    @Override
    Optional<JsonValue> mask(JsonValue data) {
      return Optional.empty();
    }

    @Override
    String fingerprint(JsonValue data) {
      return TokenType.ALL_DATA;
    }
  },
  CARD {
    @Override
    void check(JsonValue data, Violations violations) {
      Properties card = Properties.of("card", data, CARD_PROPERTIES, violations);
      card.required("number", CARD_NUMBER.isValid, CARD_NUMBER.expected);
      card.optional("expiration_month", number(1, 12), "must be a whole number from 1 to 12");
      card.optional("expiration_year", number(1000, 9999), "must be a whole number of four digits");
      card.optional("cvc", text("[0-9]{3,4}"), "must be a string of 3 or 4 digits");
    }

    @Override
    Optional<JsonValue> mask(JsonValue data) {
      Map<String, JsonValue> mask = new LinkedHashMap<>();
      mask.put("number", JsonValue.of("{{ data.number | reveal_last: 4 }}"));
      expiration(data).forEach(name -> mask.put(name, JsonValue.of("{{ data." + name + " }}")));
      return Optional.of(new JsonObject(mask));
    }

    @Override
    String fingerprint(JsonValue data) {
      return "{{ data.number }}"
          + expiration(data).map(name -> "/{{ data." + name + " }}").collect(joining());
    }
  },
  BANK {
    @Override
    void check(JsonValue data, Violations violations) {
      Properties bank = Properties.of("bank", data, BANK_PROPERTIES, violations);
      bank.required("routing_number", ROUTING_NUMBER.isValid, ROUTING_NUMBER.expected);
      bank.required("account_number", ACCOUNT_NUMBER.isValid, ACCOUNT_NUMBER.expected);
    }

    @Override
    Optional<JsonValue> mask(JsonValue data) {
      Map<String, JsonValue> mask = new LinkedHashMap<>();
      mask.put("routing_number", JsonValue.of("{{ data.routing_number }}"));
      mask.put("account_number", JsonValue.of("{{ data.account_number | reveal_last: 4 }}"));
      return Optional.of(new JsonObject(mask));
    }

    @Override
    String fingerprint(JsonValue data) {
      return "{{ data.routing_number }}/{{ data.account_number }}";
    }
  },
  CARD_NUMBER(
      text(DataShape::isCardNumber),
      "must be a string of 13 to 19 digits with a valid check digit (Luhn)"),
  ACCOUNT_NUMBER(text("[0-9]{3,17}"), "must be a string of 3 to 17 digits"),
  ROUTING_NUMBER(
      text(DataShape::isRoutingNumber),
      "must be a string of 9 digits with a valid check digit (ABA)"),
  NINE_DIGITS(text("[0-9](?:-?[0-9]){8}"), "must be a string of 9 digits, with or without dashes") {
    @Override
    String fingerprint(JsonValue data) {
      return "{{ data | remove: '-' }}";
    }
  };

  private static final PropertyNames CARD_PROPERTIES =
      new PropertyNames(
          Set.of("number", "expiration_month", "expiration_year", "cvc"),
          "number, and optionally expiration_month, expiration_year and cvc");
  private static final PropertyNames BANK_PROPERTIES =
      new PropertyNames(
          Set.of("routing_number", "account_number"), "routing_number and account_number");
  private static final int[] ABA_WEIGHTS = {3, 7, 1};

  private final Predicate<JsonValue> isValid;
  private final String expected;

  /** Creates a schema that accepts any JSON, unless it overrides {@link #check}. */
  DataShape() {
    this(any -> true, "");
  }

  DataShape(Predicate<JsonValue> isValid, String expected) {
    this.isValid = isValid;
    this.expected = expected;
  }

  /** Adds violations of the schema; no message repeats any data. */
  void check(JsonValue data, Violations violations) {
    if (!isValid.test(data)) {
      violations.add("data", expected);
    }
  }

  /** Returns the default mask for valid data; empty for none. */
  Optional<JsonValue> mask(JsonValue data) {
    return Optional.of(JsonValue.of("{{ data | reveal_last: 4 }}"));
  }

  /** Returns the default fingerprint expression for valid data. */
  String fingerprint(JsonValue data) {
    return "{{ data }}";
  }

  private static Predicate<JsonValue> text(String pattern) {
    return text((String text) -> text.matches(pattern));
  }

  private static Predicate<JsonValue> text(Predicate<String> shape) {
    return value -> value instanceof JsonString text && shape.test(text.value());
  }

  /**
   * Returns whether a string has 13 to 19 digits with a valid Luhn check digit (ISO/IEC 7812-1).
   */
  static boolean isCardNumber(String text) {
    return text.matches("[0-9]{13,19}") && luhnSum(text) % 10 == 0;
  }

  private static int luhnSum(String digits) {
    int sum = 0;
    for (int i = 0; i < digits.length(); i++) {
      int digit = digits.charAt(digits.length() - 1 - i) - '0';
      int weighted = i % 2 == 0 ? digit : 2 * digit;
      sum += weighted > 9 ? weighted - 9 : weighted;
    }
    return sum;
  }

  /**
   * Returns whether a string has 9 digits with the valid check digit of an American routing number
   * (ABA).
   */
  static boolean isRoutingNumber(String text) {
    return text.matches("[0-9]{9}") && abaSum(text) % 10 == 0;
  }

  private static int abaSum(String digits) {
    int sum = 0;
    for (int i = 0; i < digits.length(); i++) {
      sum += ABA_WEIGHTS[i % ABA_WEIGHTS.length] * (digits.charAt(i) - '0');
    }
    return sum;
  }

  private static Predicate<JsonValue> number(int from, int to) {
    return value ->
        value instanceof JsonNumber number
            && number.literal().matches("[0-9]{1,4}")
            && Integer.parseInt(number.literal()) >= from
            && Integer.parseInt(number.literal()) <= to;
  }

  /** Returns which of expiration_month and expiration_year a card has. */
  private static Stream<String> expiration(JsonValue card) {
    return Stream.of("expiration_month", "expiration_year")
        .filter(present(((JsonObject) card).properties())::containsKey);
  }

  /** Returns the properties that are not null; a null property counts as absent. */
  private static Map<String, JsonValue> present(Map<String, JsonValue> properties) {
    Map<String, JsonValue> present = new LinkedHashMap<>(properties);
    present.values().removeIf(value -> value == JsonNull.NULL);
    return present;
  }

  /**
   * The properties that an object of a known kind may have.
   *
   * @param summary the properties that it must have, for messages
   */
  private record PropertyNames(Set<String> names, String summary) {}

  /** The properties of data that is an object of a known kind. */
  private record Properties(Map<String, JsonValue> properties, Violations violations) {

    static Properties of(String kind, JsonValue data, PropertyNames known, Violations violations) {
      if (!(data instanceof JsonObject object)) {
        violations.settle("data", "must be an object with " + known.summary());
        return new Properties(Map.of(), new Violations());
      }
      if (!known.names().containsAll(object.properties().keySet())) {
        // The names are omitted, because a client's mistake can put data into them.
        violations.add(
            "data",
            "has unknown properties for a %s; the properties of a %s are %s"
                .formatted(kind, kind, known.summary()));
      }
      return new Properties(present(object.properties()), violations);
    }

    void required(String name, Predicate<JsonValue> shape, String message) {
      if (!properties.containsKey(name)) {
        violations.add("data." + name, "is required");
      }
      optional(name, shape, message);
    }

    void optional(String name, Predicate<JsonValue> shape, String message) {
      if (properties.containsKey(name) && !shape.test(properties.get(name))) {
        violations.add("data." + name, message);
      }
    }
  }
}
