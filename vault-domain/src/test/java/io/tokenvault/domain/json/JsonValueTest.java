package io.tokenvault.domain.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonNumber;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonValueTest {

  @Test
  void valuesAreNotPrinted() {
    JsonValue text = JsonValue.of("marker");

    assertThat(
            List.of(
                text,
                JsonValue.of(4711),
                JsonValue.of(true),
                new JsonArray(List.of(text)),
                new JsonObject(Map.of("marker", text))))
        .hasToString(
            "[JsonString[redacted], JsonNumber[redacted], JsonBoolean[redacted],"
                + " JsonArray[redacted], JsonObject[redacted]]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-0", "10", "1.0", "0.10", "1e400", "-1E+05", "1.5e-7"})
  void numberKeepsItsDigits(String literal) {
    assertThat(new JsonNumber(literal).literal()).isEqualTo(literal);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "01", "+1", "1.", ".1", "1e", "NaN", "0x1", "1 ", "1,\"marker\":2", "\u0661"})
  void invalidNumberIsRejectedAndNotRepeated(String literal) {
    assertThatThrownBy(() -> new JsonNumber(literal))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("not a JSON number");
  }

  @Test
  void longNumberIsValidatedInOnePass() {
    String digits = "1".repeat(1_000_000);

    assertThat(new JsonNumber(digits).literal()).hasSize(1_000_000);
    assertThatThrownBy(() -> new JsonNumber(digits + "x"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
