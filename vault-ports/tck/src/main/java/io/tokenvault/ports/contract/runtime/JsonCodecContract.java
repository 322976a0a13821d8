package io.tokenvault.ports.contract.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonNull;
import io.tokenvault.domain.json.JsonValue.JsonNumber;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.ports.contract.BrokenLaw;
import io.tokenvault.ports.runtime.JsonCodec;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract tests for {@link JsonCodec}. */
@ExtendWith(BrokenLaw.class)
public abstract class JsonCodecContract {

  protected abstract JsonCodec codec();

  private JsonValue read(String text) {
    return codec().read(text.getBytes(StandardCharsets.UTF_8));
  }

  private String write(JsonValue value) {
    return new String(codec().write(value), StandardCharsets.UTF_8);
  }

  @Test
  void everyKindOfValueIsRead() {
    Map<String, JsonValue> properties = new LinkedHashMap<>();
    properties.put("b", JsonValue.of(true));
    properties.put("a", new JsonArray(List.of(JsonValue.of("x"), JsonNull.NULL)));
    properties.put("", new JsonNumber("-1.50e+7"));

    assertThat(read(" {\"b\" : true,\n\"a\":[\"x\",null],\t\"\": -1.50e+7} "))
        .isEqualTo(new JsonObject(properties));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "true",
        "false",
        "\"\"",
        "[]",
        "{}",
        "0",
        "-0",
        "1.0",
        "1e5",
        "1E+5",
        "0.10",
        "123456789012345678901234567890.123456789012345678901234567890",
        "1e400",
        "{\"z\":1,\"a\":{\"m\":[1,2,[3]]}}",
        "\"\uD83D\uDD10 \u00e4 / ' \u007f\"",
        "\"\\\"\\\\\\n\\t\"",
      })
  void compactJsonRoundTripsUnchanged(String text) {
    assertThat(write(read(text))).isEqualTo(text);
  }

  @Test
  void escapesAreRead() {
    assertThat(read("\"\\u0041\\/\\b\\f\\r\\uD83D\\uDD10\""))
        .isEqualTo(JsonValue.of("A/\b\f\r\uD83D\uDD10"));
  }

  @Test
  void everyStringCharacterRoundTrips() {
    StringBuilder text = new StringBuilder();
    for (int i = 1; i < 0x3000; i++) {
      text.appendCodePoint(i);
    }
    text.append("\uFFFE\uFFFF\uFEFF").appendCodePoint(0x10FFFF);
    JsonValue value = JsonValue.of(text.toString());

    assertThat(codec().read(codec().write(value))).isEqualTo(value);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nul",
        "True",
        "'x'",
        "{a:1}",
        "{\"a\":1,}",
        "[1,]",
        "[,1]",
        "{\"a\"}",
        "[1 2]",
        "01",
        "+1",
        ".5",
        "1.",
        "1e",
        "NaN",
        "Infinity",
        "-",
        "0x10",
        "\"a",
        "\"\\x\"",
        "\"\\u12\"",
        "\"a\nb\"",
        "\"\t\"",
        "// c\n1",
        "/* c */ 1",
        "# c\n1",
        "\"\\'\"",
        "-Infinity",
        "1\u0000",
        "\f1",
        "\u00a01",
        "[",
        "{",
        "1 2",
        "{} {}",
        "null,",
        "{\"a\":1,\"a\":2}",
        "{\"x\":{\"a\":1,\"\\u0061\":2}}",
        "\"\\u0000\"",
        "{\"\\u0000\":1}",
        "\"\\uD83D\"",
        "\"\\uDD10\"",
        "\"\\uDD10\\uD83D\"",
        "{\"\\uD83D\":1}",
      })
  void invalidJsonIsRejectedWithItsPosition(String text) {
    assertRejected(text.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " "})
  void emptyInputIsRejected(String text) {
    assertThat(catchThrowable(() -> read(text))).isInstanceOf(ValidationException.class);
  }

  @Test
  void invalidUtf8IsRejected() {
    assertRejected(new byte[] {'"', (byte) 0xff, '"'});
    assertRejected(new byte[] {'"', (byte) 0xc3, '"'});
    assertRejected(new byte[] {'"', (byte) 0xc0, (byte) 0x80, '"'});
    assertRejected(new byte[] {'"', (byte) 0xed, (byte) 0xa0, (byte) 0x80, '"'});
    assertRejected("\"x\"".getBytes(StandardCharsets.UTF_16BE));
  }

  private void assertRejected(byte[] text) {
    Throwable failure = catchThrowable(() -> codec().read(text));
    assertThat(failure).isInstanceOf(ValidationException.class);
    assertThat(((ValidationException) failure).errors()).containsOnlyKeys("error");
    assertThat(((ValidationException) failure).errors().get("error").get(0))
        .containsPattern("line [0-9]+")
        .containsPattern("column [0-9]+");
  }

  @Test
  void errorDoesNotQuoteRejectedInput() {
    for (String text : List.of("[\"planted\", planted]", "{\"planted\":1,\"planted\":1}")) {
      Throwable failure = catchThrowable(() -> read(text));
      assertThat(((ValidationException) failure).errors().toString()).doesNotContain("planted");
      assertThat(failure).hasMessageNotContaining("planted").hasNoCause();
    }
  }

  @Test
  void nestingBeyondLimitIsRejected() {
    String deepest = "[".repeat(JsonCodec.MAX_DEPTH) + "]".repeat(JsonCodec.MAX_DEPTH);
    String deepestObject =
        "{\"a\":".repeat(JsonCodec.MAX_DEPTH) + "1" + "}".repeat(JsonCodec.MAX_DEPTH);

    assertThat(write(read(deepest))).isEqualTo(deepest);
    assertThat(write(read(deepestObject))).isEqualTo(deepestObject);
    assertRejected(("[" + deepest + "]").getBytes(StandardCharsets.UTF_8));
    assertRejected(("{\"a\":" + deepestObject + "}").getBytes(StandardCharsets.UTF_8));
    assertRejected("[".repeat(100_000).getBytes(StandardCharsets.UTF_8));
  }
}
