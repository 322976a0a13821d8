package io.tokenvault.engine.expression;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonNull;
import io.tokenvault.domain.json.JsonValue.JsonNumber;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.JsonValue.JsonString;
import io.tokenvault.engine.expression.template.JsonText;
import io.tokenvault.engine.filter.TextValues;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/**
 * Tests properties of expressions for any data. The data never contains the mask character, which
 * would make masked and revealed characters indistinguishable.
 */
class LiquidExpressionsPropertyTest {

  private static final int MASK = 'X';

  @Property
  void revealNeverShowsMoreThanAsked(
      @ForAll("texts") String text,
      @ForAll @IntRange(max = 8) int first,
      @ForAll @IntRange(max = 8) int last) {
    int[] value = text.codePoints().toArray();
    int[] shown = filter(text, "reveal: " + first + ", " + last);

    assertThat(shown).hasSameSizeAs(value);
    boolean masksAll = first + last >= value.length;
    for (int i = 0; i < value.length; i++) {
      boolean isRevealed = !masksAll && (i < first || i >= value.length - last);
      assertThat(shown[i]).isEqualTo(isRevealed ? value[i] : MASK);
    }
  }

  @Property
  void revealLastNeverShowsMoreThanAskedAndDashes(
      @ForAll("texts") String text, @ForAll @IntRange(max = 8) int last) {
    int[] value = text.codePoints().toArray();
    int[] shown = filter(text, "reveal_last: " + last);

    assertThat(shown).hasSameSizeAs(value);
    for (int i = 0; i < value.length - last; i++) {
      assertThat(shown[i]).isIn(MASK, (int) '-');
    }
    if (value.length > 0) {
      assertThat(shown).isNotEqualTo(value).contains(MASK);
    }
  }

  @Property
  void last4ShowsAtMostFourCharactersAndNeverAll(@ForAll("texts") String text) {
    int[] value = text.codePoints().toArray();
    int[] shown = filter(text, "last4");

    assertThat(shown).hasSizeLessThanOrEqualTo(4);
    if (value.length > 0) {
      assertThat(shown).isNotEqualTo(value);
    }
  }

  @Property
  void keepParameterNeverRevealsWholeString(
      @ForAll("texts") String text, @ForAll @IntRange(max = 4) int ends) {
    int[] shown = filter(text, "reveal: " + ends + ", " + ends + ", keep='-😀'");

    if (!text.isEmpty()) {
      assertThat(shown).contains(MASK);
    }
  }

  private static int[] filter(String text, String filters) {
    JsonValue result = evaluate(JsonValue.of(text), "{{ data | " + filters + " }}");
    return ((JsonString) result).value().codePoints().toArray();
  }

  private static JsonValue evaluate(JsonValue data, String expression) {
    Violations violations = new Violations();
    return Evaluations.EXPRESSIONS
        .evaluator()
        .render(JsonValue.of(expression), Map.of("data", data), "mask", violations)
        .orElseThrow(() -> new AssertionError(violations.asMap().toString()));
  }

  @Property
  void aliasPreservesAtMostHalf(
      @ForAll("words") String text,
      @ForAll @IntRange(max = 8) int first,
      @ForAll @IntRange(max = 8) int last,
      @ForAll boolean format) {
    String alias =
        Evaluations.EXPRESSIONS
            .evaluator()
            .alias(
                "{{ data | alias_preserve_%s: %d, %d}}"
                    .formatted(format ? "format" : "length", first, last),
                Map.of("data", JsonValue.of(text)),
                "id",
                new Violations())
            .orElseThrow();
    boolean keepsEnds = text.length() - first - last >= Math.max(4, (text.length() + 1) / 2);

    assertThat(alias).hasSameSizeAs(text).isNotEqualTo(text);
    if (keepsEnds) {
      assertThat(alias)
          .startsWith(text.substring(0, first))
          .endsWith(text.substring(text.length() - last));
    }
    for (int i = 0; format && i < text.length(); i++) {
      assertThat(kind(alias.charAt(i))).isEqualTo(kind(text.charAt(i)));
    }
  }

  private static int kind(char character) {
    return Character.isDigit(character) ? 0 : Character.isUpperCase(character) ? 1 : 2;
  }

  @Property
  void wholeStringExpressionReturnsValueItself(@ForAll("values") JsonValue data) {
    assertThat(evaluate(data, "{{ data }}")).isEqualTo(data);
    assertThat(evaluate(data, "{{ data | json: '$' }}")).isEqualTo(data);
    assertThat(evaluate(data, "{{ data | stringify }}"))
        .isEqualTo(JsonValue.of(TextValues.json(data)));
    assertThat(JsonText.read(TextValues.json(data))).isEqualTo(data);
  }

  @Property
  void dataIsNeverEvaluated(@ForAll("texts") String text) {
    String data = "{{ data | upcase }}" + text + "{% if %}";

    assertThat(evaluate(JsonValue.of(data), "{{ data | append: '' }}"))
        .isEqualTo(JsonValue.of(data));
    assertThat(evaluate(JsonValue.of(data), "<{{ data }}{{ data }}>"))
        .isEqualTo(JsonValue.of("<" + data + data + ">"));
  }

  @Property
  void everyExpressionFailureIsReportedAsViolation(
      @ForAll("values") JsonValue data, @ForAll("filters") String filters) {
    Violations violations = new Violations();

    boolean rendered =
        Evaluations.EXPRESSIONS
            .evaluator()
            .render(
                JsonValue.of("{{ data | " + filters + " }}"),
                Map.of("data", data),
                "mask",
                violations)
            .isPresent();

    assertThat(violations.isEmpty()).isEqualTo(rendered);
  }

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.of("a", "Z", "4", "-", " ", "ü", "€", "😀", "\n", "\"")
        .list()
        .ofMaxSize(20)
        .map(parts -> String.join("", parts));
  }

  @Provide
  Arbitrary<String> words() {
    return Arbitraries.strings().numeric().alpha().ofMinLength(4).ofMaxLength(30);
  }

  @Provide
  Arbitrary<String> filters() {
    return Arbitraries.of(
            ("append: 'x'|compact|concat: data|date: '%Y'|default: 1|divided_by: 2|escape|first"
                    + "|join: ','|json: '$..a'|map: 'a'|newline_to_br|reverse|reveal_last: 2"
                    + "|round: 1|size|slice: 0, 2|sort|sort: 'a'|sort_natural|split: ''|times: 3"
                    + "|to_number|truncatewords: 1|uniq|url_decode|url_encode|where: 'a', 1")
                .split("\\|"))
        .list()
        .ofMinSize(1)
        .ofMaxSize(4)
        .map(names -> String.join(" | ", names));
  }

  @Provide
  Arbitrary<JsonValue> values() {
    return Arbitraries.lazyOf(
        () -> Arbitraries.of(true, false).map(JsonValue::of),
        () -> Arbitraries.just(JsonNull.NULL),
        () ->
            Arbitraries.of("0", "-0.0", "1.50", "1e5", "-7E-2", "123456789012345678901234567890")
                .map(JsonNumber::new),
        () -> texts().map(JsonValue::of),
        () -> values().list().ofMaxSize(3).map(JsonArray::new),
        () ->
            Arbitraries.maps(Arbitraries.of("a", "b c", "ü"), values())
                .ofMaxSize(3)
                .map(JsonObject::new));
  }
}
