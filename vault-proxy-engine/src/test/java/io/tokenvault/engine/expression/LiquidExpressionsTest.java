package io.tokenvault.engine.expression;

import static io.tokenvault.engine.expression.Evaluations.failure;
import static io.tokenvault.engine.expression.Evaluations.messages;
import static io.tokenvault.engine.expression.Evaluations.result;
import static io.tokenvault.engine.expression.Evaluations.scope;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonNull;
import io.tokenvault.engine.expression.template.JsonText;
import io.tokenvault.engine.filter.TextValues;
import io.tokenvault.ports.runtime.Expressions.Evaluator;
import io.tokenvault.ports.runtime.Expressions.References;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the replacement of expressions in templates, their limits and their errors. */
class LiquidExpressionsTest {

  private final Evaluator evaluator = Evaluations.EXPRESSIONS.evaluator();
  private final Violations violations = new Violations();

  private static final String DATA =
      "{\"number\":1.50,\"name\":\"{{ data.number }}\",\"a b\":[1,[true,null]],\"größe\":\"x\"}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '¦',
      quoteCharacter = '`',
      value = {
        "\"{{ data.number }}\"           ¦ 1.50",
        "\"{{data.number}} \"            ¦ \"1.50 \"",
        "\"{{data['a b']}}\"             ¦ [1,[true,null]]",
        "\"{{ data[ \\\"a b\\\" ][1][-2] }}\" ¦ true",
        "\"{{ data['a b'][1][1] }}\"     ¦ null",
        "\"<{{ data['a b'][1][1] }}>\"   ¦ \"<>\"",
        "\"<{{ data['a b'] }}>\"         ¦ \"<[1,[true,null]]>\"",
        "\"{{ data.größe }}\"            ¦ \"x\"",
        "\"{{ data.größe | append: data.number }}\" ¦ \"x1.50\"",
        "{\"{{ data.number }}\":[\"{{ data.number }}\",1,null]} ¦ {\"{{ data.number"
            + " }}\":[1.50,1,null]}",
        "\"{{ data.name }}\"             ¦ \"{{ data.number }}\"",
        "\"{{{ data.name }}}\"           ¦ WRONG",
        "\"{{ data.name | append: '' }}{{ data.number }}\" ¦ \"{{ data.number }}1.50\"",
        "\"{{ }} {{ {% if true %} {%raw%}\" ¦ \"{{ }} {{ {% if true %} {%raw%}\"",
        "\"{{ data.number | append: '}}' }}\" ¦ WRONG",
        "\"{{ 'text' }}\"                ¦ WRONG",
        "\"{{ 1 }}\"                     ¦ WRONG",
        "\"{{ data .number }}\"          ¦ WRONG",
        "\"{{ data. }}\"                 ¦ WRONG",
        "\"{{ data.none }}\"             ¦ WRONG",
        "\"{{ data.number.none }}\"      ¦ WRONG",
        "\"{{ data['a b'][2] }}\"        ¦ WRONG",
        "\"{{ data['a b'][-3] }}\"       ¦ WRONG",
        "\"{{ data[99999999999] }}\"     ¦ WRONG",
        "\"{{ metadata.a }}\"            ¦ WRONG",
        "\"{{ | append: 'a' }}\"         ¦ WRONG"
      })
  void templateIsReplacedOrRejected(String template, String expected) {
    Optional<JsonValue> rendered =
        evaluator.render(JsonText.read(template), scope(DATA), "mask", violations);

    assertThat(rendered.map(TextValues::json).orElse("WRONG")).isEqualTo(expected);
    assertThat(violations.isEmpty()).isNotEqualTo(expected.equals("WRONG"));
  }

  @Test
  void allViolationsAreReportedWithTheirLocation() {
    evaluator.render(
        JsonText.read(
            "{\"number\":\"{{ data.x }}\",\"items\":[1,{\"y\":\"{{ data | z"
                + " }}\"},\"{{data}}\"]}"),
        scope("\"4111\""),
        "mask",
        violations);

    assertThat(violations.asMap())
        .isEqualTo(
            Map.of(
                "mask.number", List.of("names a property that does not exist"),
                "mask.items[1].y", List.of("filter 1 is unknown")));
  }

  @Test
  void valueIndependentViolationsAreReportedWithoutValue() {
    evaluator.check(
        JsonText.read(
            "{\"a\":\"{{ data.x | to_number }}\",\"b\":[\"x {{ data | z }}\",\"{{ data[ }}\"],"
                + "\"c\":\"{{ data | last4: 1 }}\"}"),
        "mask",
        violations);

    assertThat(violations.asMap()).containsOnlyKeys("mask.b[0]", "mask.b[1]", "mask.c");
    assertThat(violations.asMap().get("mask.b[0]")).containsExactly("filter 1 is unknown");
  }

  @Test
  void textIsPrinted() {
    Map<String, JsonValue> scope =
        Map.of("data", JsonText.read("{\"a\":1}"), "metadata", JsonText.read("{\"k\":\"v\"}"));

    assertThat(
            evaluator.print(
                "{{ data.a }}/{{ metadata['k'] }}", scope, "fingerprint_expression", violations))
        .contains("1/v");
    assertThat(
            evaluator.print("{{ data.a }}/{{ none }}", scope, "fingerprint_expression", violations))
        .isEmpty();
    assertThat(violations.asMap())
        .isEqualTo(Map.of("fingerprint_expression", List.of("must start with data or metadata")));
  }

  @Test
  void expressionLengthAndFiltersAreLimited() {
    String text = "x".repeat(4096 - "data|append:''".length());

    assertThat(result("1", "{{data|append:'" + text + "'}}")).isEqualTo("\"1" + text + '"');
    assertThat(failure("1", "{{data|append:'" + text + "x'}}")).contains("4 KiB");
    assertThat(result("\"a\"", "{{data" + "|upcase".repeat(20) + "}}")).isEqualTo("\"A\"");
    assertThat(failure("\"a\"", "{{data" + "|upcase".repeat(21) + "}}")).contains("20 filters");
    assertThat(failure("\"a\"", "{{data | append: '\ud83d'}}")).contains("lone surrogate");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "append: data | append: data",
        "replace: 'x', 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'",
        "split: '' | join: 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'",
        "to_base16 | to_base16",
        "url_encode | append: data | url_encode"
      })
  void resultsBetweenFiltersAreLimited(String filters) {
    assertThat(failure('"' + "x".repeat(60_000) + '"', "{{ data | " + filters + " }}"))
        .containsPattern("results in more than 1 MiB|requires strings of at most 64 KiB");
  }

  @Test
  void expressionsTogetherPrintAtMostOneMebibyte() {
    String half = '"' + "ü".repeat(1 << 18) + '"';

    assertThat(result(half, "{{ data }}{{ data }}")).hasSize((1 << 19) + 2);
    assertThat(failure(half, "{{ data }}{{ data }}{{ data | slice: 0 }}")).contains("1 MiB");
  }

  @Test
  void templateIsLimitedToOneSecond() {
    AtomicLong now = new AtomicLong();
    LiquidExpressions slow = new LiquidExpressions(new Random(7), () -> now.getAndAdd(100_000_000));
    assertThat(
            slow.evaluator().print("{{ data | upcase }}", scope("\"a\""), "mask", new Violations()))
        .contains("A");
    assertThat(
            slow.evaluator()
                .render(
                    JsonText.read("[\"{{ data | upcase }}\",\"" + "{{ data }}".repeat(11) + "\"]"),
                    scope("\"a\""),
                    "mask",
                    violations))
        .isEmpty();
    assertThat(violations.asMap())
        .isEqualTo(Map.of("mask[1]", List.of("the expressions take too long")));
  }

  @Test
  void templatesOfRequestAreLimitedToFiveSeconds() {
    AtomicLong now = new AtomicLong();
    Evaluator request =
        new LiquidExpressions(new Random(7), () -> now.getAndAdd(100_000_000)).evaluator();
    Map<String, JsonValue> scope = scope("\"12345678\"");
    int evaluations = 0;
    while (request.print("{{ data }}", scope, "mask", violations).isPresent()) {
      evaluations++;
    }

    assertThat(evaluations).isBetween(20, 50);
    assertThat(request.render(JsonValue.of("{{ data }}"), scope, "fill", violations)).isEmpty();
    assertThat(request.alias("{{ data | alias_preserve_length: 0, 0 }}", scope, "id", violations))
        .isEmpty();
    assertThat(violations.asMap()).containsOnlyKeys("mask", "fill", "id");
    assertThat(messages(violations)).containsOnly("the expressions take too long");
  }

  @Test
  void requestHasFiveTimesTemplateWorkLimitAcrossRetries() {
    Map<String, JsonValue> scope = scope("[" + "1,".repeat((1 << 19) - 1) + "1]");
    int evaluations = 0;
    while (evaluator.print("{{ data | size }}", scope, "mask", violations).isPresent()) {
      evaluations++;
      evaluator.startOver();
    }

    assertThat(evaluations).isEqualTo(5 * 64);
    assertThat(messages(violations)).containsExactly("the expressions process too much data");
  }

  @Test
  void timeBetweenTemplatesIsNotCounted() {
    AtomicLong now = new AtomicLong();
    Evaluator request = new LiquidExpressions(new Random(7), now::get).evaluator();
    Map<String, JsonValue> scope = scope("1");

    for (int i = 0; i < 10; i++) {
      assertThat(request.print("{{ data }}", scope, "mask", new Violations())).contains("1");
      now.addAndGet(1_000_000_000);
    }
  }

  @Test
  void requestPrintsAtMostTwentyFourMebibytes() {
    Map<String, JsonValue> scope = scope('"' + "x".repeat(1 << 20) + '"');
    for (int i = 0; i < 24; i++) {
      assertThat(evaluator.print("{{ data }}", scope, "index", violations)).isPresent();
    }

    assertThat(evaluator.print("x", scope, "index", violations)).isEmpty();
    assertThat(messages(violations).get(0)).contains("24 MiB");
  }

  @Test
  void referencesAreFoundAndReplaced() {
    References references =
        Evaluations.EXPRESSIONS.references(
            JsonText.read(
                "{\"a\":\"{{ one }}\",\"b\":[\"{{two|last4}} {{one}}\",\"{{three|upcase}}\"],"
                    + "\"c\":\"<{{three | append: '!'}}>\"}"));

    assertThat(references.tokenIds()).containsExactly("one", "two", "three");
    assertThat(
            TextValues.json(
                references.render(
                    Map.of(
                        "one", JsonText.read("1.50"),
                        "two", JsonValue.of("12345"),
                        "three", JsonNull.NULL))))
        .isEqualTo("{\"a\":1.50,\"b\":[\"2345 1.50\",null],\"c\":\"<>\"}");
  }

  @Test
  void invalidReferencesAreReportedWithTheirLocation() {
    ValidationException read =
        catchThrowableOfType(
            ValidationException.class,
            () ->
                Evaluations.EXPRESSIONS.references(
                    JsonText.read(
                        "{\"a\":\"{{ one | x }}\",\"b\":[\"{{ one | append: data }}\"],"
                            + "\"c\":\"{{ | upcase }}\"}")));
    ValidationException rendered =
        catchThrowableOfType(
            ValidationException.class,
            () ->
                Evaluations.EXPRESSIONS
                    .references(JsonValue.of("{{ one | plus: 1 }}"))
                    .render(Map.of("one", JsonValue.of("4111x"))));

    assertThat(read.errors()).containsOnlyKeys("a", "b[0]", "c");
    assertThat(rendered.errors())
        .isEqualTo(
            Map.of(
                "error",
                List.of("filter 1 (plus) requires a number, or a string that is a" + " number")));
    assertThat(rendered).hasNoCause();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '¦',
      quoteCharacter = '`',
      value = {
        "4242424242424242 ¦ alias_preserve_format: 4, 4  ¦ 4242[0-9]{8}4242",
        "4242424242424242 ¦ alias_preserve_format: 6, 4  ¦ [0-9]{16}",
        "4242424242424242 ¦ alias_preserve_format: 8, 8  ¦ [0-9]{16}",
        "4242424242424242 ¦ alias_preserve_length: 0, 4  ¦ [0-9A-Za-z]{12}4242",
        "4242424242424242 ¦ slice: 0, 8 | alias_preserve_format: 1, 1  ¦ 4[0-9]{6}2",
        "Ab1-Cd2-Ef3      ¦ alias_preserve_format: 0, 3  ¦ [A-Z][a-z][0-9]-[A-Z][a-z][0-9]-Ef3",
        "Ab1-Cd2-Ef3      ¦ alias_preserve_format: 0, 4  ¦ [A-Z][a-z][0-9]-[A-Z][a-z][0-9]-Ef3",
        "Äß1٣             ¦ alias_preserve_format: 0, 0  ¦ [A-Z][a-z][0-9]{2}",
        "12345            ¦ alias_preserve_format: 2, 2  ¦ [0-9]{5}",
        "😀abcdefg😀      ¦ alias_preserve_length: 1, 1  ¦ 😀[0-9A-Za-z]{7}😀"
      })
  void aliasPreservesFormatOrLength(String value, String filters, String pattern) {
    Optional<String> alias =
        evaluator.alias(
            "{{ data | " + filters + " }}", Map.of("data", JsonValue.of(value)), "id", violations);

    assertThat(violations.asMap()).isEmpty();
    assertThat(alias.orElseThrow()).matches(pattern).isNotEqualTo(value);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{{ data }}",
        "{{ data | upcase }}",
        "{{ data | alias_preserve_format: 0, 4 | upcase }}",
        "{{ data | alias_preserve_format: 0, 4 | alias_preserve_format: 0, 4 }}",
        "x{{ data | alias_preserve_format: 0, 4 }}",
        "{{ data | alias_preserve_format: 0, 4 }} ",
        "{{ data | alias_preserve_format: 0 }}",
        "{{ data | alias_preserve_format: 0, -1 }}",
        "{{ data | alias_preserve_format: 0, 4, 4 }}",
        "{{ data.x | alias_preserve_format: 0, 4 }}",
        "{{ data | slice: 0, 3 | alias_preserve_format: 0, 0 }}",
        "{{ data | append: '-----------------' | alias_preserve_format: 0, 0 }}",
        "{{ data | split: '' | alias_preserve_length: 0, 0 }}",
        "{{"
      })
  void invalidAliasExpressionIsRejected(String template) {
    Optional<String> alias =
        evaluator.alias(template, scope("\"4242424242424242\""), "id", violations);

    assertThat(alias).isEmpty();
    assertThat(violations.asMap()).containsOnlyKeys("id");
    assertThat(violations.asMap().toString()).doesNotContain("42");
  }
}
