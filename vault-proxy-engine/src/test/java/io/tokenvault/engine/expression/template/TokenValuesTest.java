package io.tokenvault.engine.expression.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.engine.expression.BodyTemplate;
import io.tokenvault.engine.expression.Filled;
import io.tokenvault.engine.expression.TextualBody;
import io.tokenvault.engine.expression.text.BodyCharset;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a request may make of the data of tokens. */
class TokenValuesTest {

  private static final int CHARACTERS = 170_000;
  private static final int TIMES = 60;

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
  void dataCountsAsItIsWrittenInItsPlace(String type, String hex, String body) {
    Map<String, String> texts =
        Map.of("t", Character.toString(Integer.parseInt(hex, 16)).repeat(CHARACTERS));
    String expressions = "{{t}}".repeat(TIMES);

    assertThatThrownBy(() -> Filled.text(type, String.format(body, expressions), texts))
        .isInstanceOfSatisfying(
            RefusedException.class,
            refused -> assertThat(refused.failure()).isEqualTo(FailureCause.BODY_TOO_LARGE));
  }

  @Test
  void timeRunsFromTheFirstExpressionEvenIfNoneHasFilters() {
    AtomicLong clock = new AtomicLong();
    TokenValues values =
        new TokenValues(
            Map.of("t", SensitiveValue.ofText("\"x\"")),
            bytes -> {},
            () -> clock.getAndAdd(Duration.ofMillis(400).toNanos()));

    assertThat(filled("[\"{{t}}\"]", values)).isEqualTo("[\"x\"]");
    assertThatThrownBy(() -> filled("[\"{{t}}\", \"x{{t}} {{t}}\"]", values))
        .isInstanceOfSatisfying(
            ValidationException.class,
            refused -> assertThat(refused.errors().toString()).contains("take too long"));
  }

  private static String filled(String json, TokenValues values) {
    byte[] body = json.getBytes(StandardCharsets.UTF_8);
    BodyTemplate template =
        TextualBody.of("application/json").orElseThrow().read(body, bytes -> {}).orElseThrow();
    return new String(template.fill(values), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UTF-8",
        "UTF-16BE",
        "US-ASCII",
        "ISO-8859-15",
        "windows-1252",
        "Big5-HKSCS",
        "GB18030",
        "Shift_JIS",
        "ISO-2022-JP"
      })
  void aRepertoireHasWhatItsCharsetCanEncode(String name) {
    Charset charset = Charset.forName(name);
    BodyCharset repertoire = new BodyCharset(charset);
    int[] wrong =
        IntStream.iterate(0, each -> each <= Character.MAX_CODE_POINT, each -> each + 13)
            .filter(each -> repertoire.has(each) != encodes(charset, each))
            .limit(9)
            .toArray();

    assertThat(wrong).isEmpty();
  }

  private static boolean encodes(Charset charset, int character) {
    return charset.newEncoder().canEncode(Character.toString(character));
  }

  @Test
  void charactersThatTheCharsetLacksAreEscaped() {
    assertThat(
            Filled.text(
                "application/json; charset=us-ascii",
                "[\"{{t}}\",\"x{{t}}\"]",
                Map.of("t", "ü😀\u0001\u00ff"),
                StandardCharsets.US_ASCII))
        .isEqualTo(
            "[\"\\u00fc\\ud83d\\ude00\\u0001\\u00ff\",\"x\\u00fc\\ud83d\\ude00\\u0001\\u00ff\"]");
  }
}
