package io.tokenvault.engine.expression.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.engine.Refusals;
import io.tokenvault.engine.expression.BodyDetokenizer;
import io.tokenvault.engine.expression.TextualBody;
import io.tokenvault.engine.expression.TextualBody.BodyTemplate;
import io.tokenvault.engine.filter.TextValues;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the limits and the escaping of inserted token data. */
class TokenValuesTest {

  private static final int CHARACTERS = 170_000;
  private static final int OCCURRENCES = 60;

  @ParameterizedTest
  @CsvSource(
      delimiter = '¦',
      value = {
        "application/json                   ¦ 0001 ¦ [\"x%s\"]",
        "application/json; charset=us-ascii ¦ 00e9 ¦ [\"x%s\"]",
        "application/xml; charset=us-ascii  ¦ 00e9 ¦ <a>%s</a>",
        "application/xml                    ¦ 0026 ¦ <a>%s</a>",
        "application/x-www-form-urlencoded  ¦ 20ac ¦ a=%s",
        "text/plain                         ¦ 20ac ¦ %s"
      })
  void escapedDataCountsTowardLimit(String type, String hex, String body) {
    String text = Character.toString(Integer.parseInt(hex, 16)).repeat(CHARACTERS);
    Map<String, SensitiveValue> data =
        Map.of("t", SensitiveValue.ofText(TextValues.json(JsonValue.of(text))));
    // The clock is stopped: on a busy machine the time limit would be reached first.
    TokenValues values = new TokenValues(data, bytes -> {}, () -> 0);

    String message =
        Refusals.assertRefused(
            FailureCause.BODY_TOO_LARGE,
            () -> detokenize(type, String.format(body, "{{t}}".repeat(OCCURRENCES)), values));
    assertThat(message).contains("named tokens");
  }

  @Test
  void timeLimitStartsAtFirstExpressionEvenWithoutFilters() {
    AtomicLong clock = new AtomicLong();
    TokenValues values =
        new TokenValues(
            Map.of("t", SensitiveValue.ofText("\"x\"")),
            bytes -> {},
            () -> clock.getAndAdd(Duration.ofMillis(400).toNanos()));

    assertThat(detokenize("application/json", "[\"{{t}}\"]", values)).isEqualTo("[\"x\"]");
    String message =
        Refusals.assertRefused(
            FailureCause.VALIDATION_FAILED,
            () -> detokenize("application/json", "[\"{{t}}\", \"x{{t}} {{t}}\"]", values));
    assertThat(message).contains("take too long");
  }

  private static String detokenize(String type, String text, TokenValues values) {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    BodyTemplate template =
        TextualBody.of(type).orElseThrow().read(body, bytes -> {}).orElseThrow();
    return new String(template.render(values), StandardCharsets.UTF_8);
  }

  @Test
  void charactersMissingFromCharsetAreEscaped() {
    assertThat(
            BodyDetokenizer.detokenize(
                "application/json; charset=us-ascii",
                "[\"{{t}}\",\"x{{t}}\"]",
                Map.of("t", "ü😀\u0001\u00ff"),
                StandardCharsets.US_ASCII))
        .isEqualTo(
            "[\"\\u00fc\\ud83d\\ude00\\u0001\\u00ff\",\"x\\u00fc\\ud83d\\ude00\\u0001\\u00ff\"]");
  }

  @Test
  void expressionLimitCountsRepeatedTokens() {
    String most = "{{a}}".repeat(Template.MAX_SLOTS);

    assertThat(Template.ofText(most).tokenIds()).containsExactly("a");
    assertThatExceptionOfType(ValidationException.class)
        .isThrownBy(() -> Template.ofText(most + "{{a}}"));
  }

  @Test
  void expressionsWithFiltersAreLimitedToOneMebibyte() {
    String filtered = "{{%d|append:'" + "x".repeat(4000) + "'}}";
    String most =
        IntStream.range(0, 260)
            .mapToObj(i -> String.format(filtered, i).repeat(10))
            .collect(Collectors.joining());

    assertThat(Template.ofText(most).tokenIds()).hasSize(260);
    assertThatExceptionOfType(ValidationException.class)
        .isThrownBy(() -> Template.ofText(most + most.replace("append", "prepend")))
        .satisfies(rejected -> assertThat(rejected.errors().toString()).contains("1 MiB in all"));
  }
}
