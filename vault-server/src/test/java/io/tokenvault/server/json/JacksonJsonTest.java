package io.tokenvault.server.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonNull;
import io.tokenvault.domain.json.JsonValue.JsonNumber;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.ports.runtime.JsonCodec;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JacksonJsonTest {

  private final JacksonJson json = new JacksonJson();

  @Test
  void everyValueTypeIsRead() {
    assertThat(read(" {\"a\":[true,false,null,1,\"x\"],\"b\":{}} "))
        .isEqualTo(
            object(
                "a",
                new JsonArray(
                    List.of(
                        JsonValue.of(true),
                        JsonValue.of(false),
                        JsonNull.NULL,
                        JsonValue.of(1),
                        JsonValue.of("x"))),
                "b",
                new JsonObject(Map.of())));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-0",
        "1.0",
        "1.10",
        "1e400",
        "1E+2",
        "-1.5e-10",
        "0.1e1",
        "100000000000000000000",
        "123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890"
            + "1234567890"
      })
  void numbersPreserveEveryCharacter(String literal) {
    assertThat(read(literal)).isEqualTo(new JsonNumber(literal));
    assertThat(write(read("[" + literal + "]"))).isEqualTo("[" + literal + "]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"\"",
        "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\"",
        "\"\u00e9\u20ac\ud83d\ude00\u2028\u007f\"",
        "{\"\ud83d\ude00\":1}",
        "{\"z\":1,\"a\":2,\"m\":3}",
        "[{\"a\":{\"a\":1}},{\"a\":2}]"
      })
  void shortestFormRoundTripsUnchanged(String text) {
    assertThat(write(read(text))).isEqualTo(text);
  }

  @Test
  void escapesAreReadAsWhatTheyStandFor() {
    assertThat(read("\"\\u0041\\ud83d\\ude00\\/\"")).isEqualTo(JsonValue.of("A\ud83d\ude00/"));
  }

  @Test
  void unnecessaryCharactersAreNotWritten() {
    assertThat(write(read(" { \"a\" : [ 1 , \"\\u0041\" ] } "))).isEqualTo("{\"a\":[1,\"A\"]}");
  }

  @Test
  void stringOfSeveralMegabytesIsRead() {
    String text = "x".repeat(30_000_000);

    assertThat(read("\"" + text + "\"")).isEqualTo(JsonValue.of(text));
  }

  @Test
  void manyLongKeysAreRead() {
    Map<String, JsonValue> members = new LinkedHashMap<>();
    for (int i = 0; i < 20_000; i++) {
      members.put("k" + i + "x".repeat(i % 100), JsonNull.NULL);
    }
    members.put("y".repeat(100_000), JsonNull.NULL);

    assertThat(json.read(json.write(new JsonObject(members)))).isEqualTo(new JsonObject(members));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\n\t \r\n"})
  void bodyIsRequired(String text) {
    assertThat(refusal(text)).isEqualTo("a JSON body is required");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{",
        "[1,",
        "\"abc",
        "{\"a\"",
        "{\"a\":",
        "tru",
        "True",
        "nul",
        "nulll",
        "truefalse",
        "NaN",
        "Infinity",
        "-Infinity",
        "+1",
        "01",
        "-01",
        "00",
        "1.",
        ".5",
        "-",
        "1e",
        "1e+",
        "0x10",
        "1_000",
        "1\"a\"",
        "[1,]",
        "[,1]",
        "[,]",
        "[1 2]",
        "{\"a\":1,}",
        "{,}",
        "{a:1}",
        "{'a':1}",
        "'a'",
        "{1:2}",
        "{\"a\" 1}",
        "{\"a\":1 \"b\":2}",
        "[}",
        "{]",
        "]",
        "}",
        ",",
        ":",
        "/* c */ 1",
        "// c\n1",
        "# c\n1",
        "[1] // c",
        "\"\\x41\"",
        "\"\\u12\"",
        "\"\\u00g0\"",
        "\"\\'\"",
        "\"a\nb\"",
        "\"a\tb\"",
        "\"a\u0000b\"",
        "\u0000",
        "1\u0000",
        "\u000c1",
        "\u00a01",
        "1\ufeff",
        "[\u2028]"
      })
  void invalidJsonIsRejectedWithPosition(String text) {
    assertThat(refusal(text)).matches("[a-zA-Z0-9 ]+ at line \\d+, column \\d+");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1 2", "{} {}", "[]]", "{}}", "\"a\"\"b\"", "null null", "{}x", "1,2"})
  void textAfterTheValueIsRefused(String text) {
    assertThat(refusal(text)).contains(" at line 1, column ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a\":1,\"a\":2}",
        "{\"a\":1,\"b\":2,\"\\u0061\":3}",
        "[{\"x\":{\"\":1,\"\":1}}]",
        "{\"a\":null,\"a\":null}"
      })
  void duplicateKeyIsRejected(String text) {
    assertThat(refusal(text)).startsWith("an object has a key twice at line 1, column ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"\\u0000\"", "{\"\\u0000\":1}", "{\"a\":[\"x\\u0000\"]}"})
  void nulIsRefused(String text) {
    assertThat(refusal(text)).startsWith("a string contains NUL at line 1, column ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"\\ud800\"",
        "\"\\udc00\"",
        "\"\\udc00\\ud800\"",
        "\"\\ud800\\ud800\\udc00\"",
        "\"\\ud83dx\"",
        "\"x\\ud83d\""
      })
  void loneSurrogatesAreRefused(String text) {
    assertThat(refusal(text)).startsWith("a string contains a lone surrogate at line 1, column ");
  }

  @Test
  void encodedSurrogatesAreNotUtf8() {
    assertThat(refusal(bytes('"', 0xED, 0xA0, 0x80, '"')))
        .isEqualTo("the body is not UTF-8 at line 1, column 2");
    assertThat(refusal(bytes('"', 0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80, '"')))
        .isEqualTo("the body is not UTF-8 at line 1, column 2");
  }

  @Test
  void brokenUtf8IsRefusedWithItsPlace() {
    assertThat(refusal(bytes('[', '\n', '"', 'a', 0xFF, '"', ']')))
        .isEqualTo("the body is not UTF-8 at line 2, column 3");
    assertThat(refusal(bytes('[', '\r', '\n', '"', 0xC0, 0x80, '"', ']')))
        .isEqualTo("the body is not UTF-8 at line 2, column 2");
    assertThat(refusal(bytes('"', 0xE2, 0x82))).startsWith("the body is not UTF-8 at line 1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE", "UTF-16", "UTF-32"})
  void otherEncodingsAreRefused(String charset) {
    byte[] encoded = "{\"a\":1}".getBytes(Charset.forName(charset));

    assertThat(refusal(encoded)).contains(" at line 1, column ");
  }

  @Test
  void byteOrderMarkIsRejected() {
    assertThat(refusal("\ufeff{}"))
        .isEqualTo("the body starts with a byte order mark at line 1, column 1");
  }

  @ParameterizedTest
  @CsvSource({"[,]", "{\"a\":,}"})
  void nestingEndsAtSixtyFour(String open, String close) {
    int depth = JsonCodec.MAX_DEPTH;

    assertThat(write(read(nested(open, close, depth)))).isEqualTo(nested(open, close, depth));
    assertThat(refusal(nested(open, close, depth + 1)))
        .startsWith("the JSON is nested deeper than 64 levels at line 1, column ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"9", "-9", "0.9", "9e9"})
  void numberOverLengthLimitIsRejected(String beginning) {
    String atLimit = beginning + "1".repeat(JacksonJson.MAX_NUMBER_LENGTH - beginning.length());

    assertThat(read(atLimit)).isEqualTo(new JsonNumber(atLimit));
    assertThat(refusal(atLimit + "1".repeat(100_000)))
        .startsWith("a number has more than 1200 characters at line 1, column ");
  }

  @Test
  void placesCountLinesAndColumnsFromOne() {
    assertThat(refusal("{\n  \"a\": 1,\n  \"a\": 2\n}"))
        .isEqualTo("an object has a key twice at line 3, column 3");
    assertThat(refusal("{\"\u00e9\u00e9\":1,}")).contains(" at line 1, column ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"marker\":1,\"marker\":2}",
        "marker",
        "{\"a\":marker}",
        "{\"a\":\"marker",
        "[1] marker",
        "\"marker\\u0000\"",
        "\"marker\\q\""
      })
  void noMessageRepeatsInput(String text) {
    ValidationException failure = failure(text.getBytes(StandardCharsets.UTF_8));

    assertThat(failure).hasNoCause();
    assertThat(failure.getMessage() + failure.errors()).doesNotContain("marker");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"\\ud83d\":1}", "{\"\\udc00\":1}", "{\"x\\ud800\\u0041\":1}"})
  void loneSurrogatesInKeysAreRefused(String text) {
    assertThat(refusal(text)).contains(" at line 1, column ");
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
    JsonValue value = read(nested("[", "]", JsonCodec.MAX_DEPTH));
    for (int i = 0; i < 10; i++) {
      value = new JsonArray(List.of(value));
    }

    assertThat(write(value)).isEqualTo(nested("[", "]", JsonCodec.MAX_DEPTH + 10));
  }

  @Test
  void nestingThatIsAbsurdIsNotWritten() {
    JsonValue value = JsonNull.NULL;
    for (int i = 0; i < 2000; i++) {
      value = new JsonArray(List.of(value));
    }
    JsonValue absurd = value;

    assertThatThrownBy(() -> json.write(absurd))
        .isInstanceOf(IllegalArgumentException.class)
        .hasNoCause();
  }

  private static String nested(String open, String close, int depth) {
    String innermost = open.startsWith("[") ? "" : "0";
    return open.repeat(depth) + innermost + close.repeat(depth);
  }

  private static JsonObject object(String one, JsonValue first, String two, JsonValue second) {
    Map<String, JsonValue> members = new LinkedHashMap<>();
    members.put(one, first);
    members.put(two, second);
    return new JsonObject(members);
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

  private String refusal(String text) {
    return refusal(text.getBytes(StandardCharsets.UTF_8));
  }

  private String refusal(byte[] text) {
    Map<String, List<String>> errors = failure(text).errors();
    assertThat(errors).containsOnlyKeys("error");
    assertThat(errors.get("error")).hasSize(1);
    return errors.get("error").get(0);
  }

  private ValidationException failure(byte[] text) {
    return catchThrowableOfType(ValidationException.class, () -> json.read(text));
  }
}
