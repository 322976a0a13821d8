package io.tokenvault.server.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonNull;
import io.tokenvault.domain.json.JsonValue.JsonNumber;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.token.TokenType;
import io.tokenvault.engine.expression.LiquidExpressions;
import io.tokenvault.ports.contract.runtime.JsonCodecContract;
import io.tokenvault.ports.runtime.JsonCodec;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JacksonJsonTest extends JsonCodecContract {

  private final JacksonJson json = new JacksonJson();

  @Override
  protected JsonCodec codec() {
    return json;
  }

  @Test
  void stringOfSeveralMegabytesIsRead() {
    String text = "x".repeat(30_000_000);

    assertThat(read("\"" + text + "\"")).isEqualTo(JsonValue.of(text));
  }

  @Test
  void manyLongKeysAreRead() {
    Map<String, JsonValue> fields = new LinkedHashMap<>();
    for (int i = 0; i < 20_000; i++) {
      fields.put("k" + i + "x".repeat(i % 100), JsonNull.NULL);
    }
    fields.put("y".repeat(100_000), JsonNull.NULL);

    assertThat(json.read(json.write(new JsonObject(fields)))).isEqualTo(new JsonObject(fields));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\n\t \r\n"})
  void bodyIsRequired(String text) {
    assertThat(error(text)).isEqualTo("a JSON body is required");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"a\":1,\"a\":2} | an object has a key twice",
        "{\"a\":1,\"b\":2,\"\\u0061\":3} | an object has a key twice",
        "[{\"x\":{\"\":1,\"\":1}}] | an object has a key twice",
        "{\"a\":null,\"a\":null} | an object has a key twice",
        "\"\\u0000\" | a string contains NUL",
        "{\"\\u0000\":1} | a string contains NUL",
        "{\"a\":[\"x\\u0000\"]} | a string contains NUL",
        "\"\\ud800\" | a string contains a lone surrogate",
        "\"\\udc00\" | a string contains a lone surrogate",
        "\"\\udc00\\ud800\" | a string contains a lone surrogate",
        "\"\\ud800\\ud800\\udc00\" | a string contains a lone surrogate",
        "\"\\ud83dx\" | a string contains a lone surrogate",
        "\"x\\ud83d\" | a string contains a lone surrogate"
      })
  void errorNamesProblemAndPosition(String text, String problem) {
    assertThat(error(text)).startsWith(problem + " at line 1, column ");
  }

  @Test
  void encodedSurrogatesAreNotUtf8() {
    assertThat(error(bytes('"', 0xED, 0xA0, 0x80, '"')))
        .isEqualTo("the body is not UTF-8 at line 1, column 2");
    assertThat(error(bytes('"', 0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80, '"')))
        .isEqualTo("the body is not UTF-8 at line 1, column 2");
  }

  @Test
  void malformedUtf8IsRejectedWithPosition() {
    assertThat(error(bytes('[', '\n', '"', 'a', 0xFF, '"', ']')))
        .isEqualTo("the body is not UTF-8 at line 2, column 3");
    assertThat(error(bytes('[', '\r', '\n', '"', 0xC0, 0x80, '"', ']')))
        .isEqualTo("the body is not UTF-8 at line 2, column 2");
    assertThat(error(bytes('"', 0xE2, 0x82))).startsWith("the body is not UTF-8 at line 1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE", "UTF-16", "UTF-32"})
  void otherEncodingsAreRefused(String charset) {
    byte[] encoded = "{\"a\":1}".getBytes(Charset.forName(charset));

    assertThat(error(encoded)).contains(" at line 1, column ");
  }

  @Test
  void byteOrderMarkIsRejected() {
    assertThat(error("\ufeff{}"))
        .isEqualTo("the body starts with a byte order mark at line 1, column 1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"9", "-9", "0.9", "9e9"})
  void numberOverLengthLimitIsRejected(String beginning) {
    String atLimit = beginning + "1".repeat(JacksonJson.MAX_NUMBER_LENGTH - beginning.length());

    assertThat(read(atLimit)).isEqualTo(new JsonNumber(atLimit));
    assertThat(error(atLimit + "1".repeat(100_000)))
        .startsWith("a number has more than 1200 characters at line 1, column ");
  }

  @Test
  void positionsCountLinesAndColumnsFromOne() {
    assertThat(error("{\n  \"a\": 1,\n  \"a\": 2\n}"))
        .isEqualTo("an object has a key twice at line 3, column 3");
    assertThat(error("{\"\u00e9\u00e9\":1,}")).contains(" at line 1, column ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"marker\ud800", "\udc00marker", "marker\ud800\ud800\udc00", "marker\u0000"})
  void unreadableStringIsNotWritten(String text) {
    JsonValue key = new JsonObject(Map.of(text, JsonNull.NULL));
    for (JsonValue value : List.of(JsonValue.of(text), key)) {
      assertThatThrownBy(() -> json.write(value))
          .isInstanceOf(IllegalArgumentException.class)
          .hasNoCause()
          .hasMessageNotContaining("marker");
    }
  }

  @Test
  void responsesMayNestDeeperThanRequests() {
    JsonValue value = read(nested(JsonCodec.MAX_DEPTH));
    for (int i = 0; i < 10; i++) {
      value = new JsonArray(List.of(value));
    }

    assertThat(write(value)).isEqualTo(nested(JsonCodec.MAX_DEPTH + 10));
  }

  @Test
  void excessiveNestingIsNotWritten() {
    JsonValue value = JsonNull.NULL;
    for (int i = 0; i < 2000; i++) {
      value = new JsonArray(List.of(value));
    }
    JsonValue tooDeep = value;

    assertThatThrownBy(() -> json.write(tooDeep))
        .isInstanceOf(IllegalArgumentException.class)
        .hasNoCause();
  }

  private static String nested(int depth) {
    return "[".repeat(depth) + "]".repeat(depth);
  }

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  private JsonValue read(String text) {
    return json.read(text.getBytes(StandardCharsets.UTF_8));
  }

  private String write(JsonValue value) {
    return new String(json.write(value), StandardCharsets.UTF_8);
  }

  private String error(String text) {
    return error(text.getBytes(StandardCharsets.UTF_8));
  }

  private String error(byte[] text) {
    Map<String, List<String>> errors =
        catchThrowableOfType(ValidationException.class, () -> json.read(text)).errors();
    assertThat(errors).containsOnlyKeys("error");
    assertThat(errors.get("error")).hasSize(1);
    return errors.get("error").get(0);
  }

  /** The default fingerprint of all data is computed without evaluating its expression. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"text\"",
        "\"\\u0001\\u001f\\t\\n\\\"\\\\/\\u007f\\u0080\\u2028\\ud83d\\ude00\u00e9\u4e2d\"",
        "[-0, 1.50, 1E+5, 12345678901234567890.000, 1e-400]",
        "{\"b\": {\"\\u0002\\\"\": [true, false, null, {}, []]}, \"a\": \"\"}"
      })
  void jsonOfDataEqualsPrintedExpression(String text) {
    JsonValue data = read(text);

    assertThat(
            new LiquidExpressions(RandomGenerator.getDefault())
                .evaluator()
                .print(TokenType.ALL_DATA, Map.of("data", data), "error", new Violations()))
        .contains(write(data));
  }
}
