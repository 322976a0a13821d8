package io.tokenvault.engine.expression;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.engine.expression.template.TokenValues;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Compares rewritten JSON with a model that knows where the expressions are. */
class JsonBodySyntaxTest {

  private static final TextualBody JSON = TextualBody.of("application/json").orElseThrow();
  private static final Map<String, String> TOKENS =
      Map.of(
          "tok-string", "\"a\\\"b\\\\ü€😀\\n{{tok-number}}\"",
          "tok-number", "-1.50e3",
          "tok-object", "{\"k\":[1,null,\"x\"]}");
  private static final Map<String, String> AS_CONTENT =
      Map.of(
          "tok-string", "a\\\"b\\\\ü€😀\\u000a{{tok-number}}",
          "tok-number", "-1.50e3",
          "tok-object", "{\\\"k\\\":[1,null,\\\"x\\\"]}");

  /** A fragment of JSON before and after its expressions are replaced. */
  record Fragment(String before, String after) {}

  @Property(tries = 400)
  void onlyStringsWithExpressionsChange(@ForAll("documents") Fragment document) {
    byte[] body = document.before().getBytes(StandardCharsets.UTF_8);

    String result =
        JSON.read(body, bytes -> {})
            .map(template -> template.render(values()))
            .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
            .orElse(document.before());

    assertThat(result).isEqualTo(document.after());
  }

  @Property(tries = 400)
  void scannerDetectsReplacedExpressions(
      @ForAll("documents") Fragment document, @ForAll @IntRange(min = 1, max = 9) int size) {
    byte[] body = document.before().getBytes(StandardCharsets.UTF_8);

    assertThat(ByteScannerTest.findsExpression(JSON, body, size))
        .isEqualTo(JSON.read(body, bytes -> {}).isPresent());
  }

  @Example
  void numberOfAnyLengthIsInserted() {
    String number = "1".repeat(1200);
    TokenValues values =
        new TokenValues(Map.of("tok-long", SensitiveValue.ofText(number)), bytes -> {});
    byte[] body = ("[" + number + ",\"n{{tok-long}}\"]").getBytes(StandardCharsets.UTF_8);

    assertThat(JSON.read(body, bytes -> {}).orElseThrow().render(values))
        .asString(StandardCharsets.UTF_8)
        .isEqualTo("[" + number + ",\"n" + number + "\"]");
  }

  private static TokenValues values() {
    Map<String, SensitiveValue> values = new HashMap<>();
    TOKENS.forEach((id, json) -> values.put(id, SensitiveValue.ofText(json)));
    return new TokenValues(values, bytes -> {});
  }

  @Provide
  Arbitrary<Fragment> documents() {
    return value(3).flatMap(fragment -> space().map(gap -> surround(gap, fragment, gap)));
  }

  private Arbitrary<Fragment> value(int depth) {
    Arbitrary<Fragment> leaf = Arbitraries.oneOf(unchanged(), wholeString(), partOfString());
    if (depth == 0) {
      return leaf;
    }
    return Arbitraries.oneOf(leaf, array(depth), object(depth));
  }

  private Arbitrary<Fragment> array(int depth) {
    return value(depth - 1)
        .list()
        .ofMaxSize(4)
        .map(items -> surround("[", join(items, " ,\n"), "]"));
  }

  private Arbitrary<Fragment> object(int depth) {
    Arbitrary<String> names = Arbitraries.of("\"a\"", "\"\\u00e9\"", "\"{{tok-number}}\"", "\"\"");
    return names
        .flatMap(name -> value(depth - 1).map(fragment -> surround(name + "\t: ", fragment, "")))
        .list()
        .ofMaxSize(4)
        .map(properties -> surround("{", join(properties, ","), "}"));
  }

  private Arbitrary<Fragment> unchanged() {
    return Arbitraries.of(
            "null",
            "true",
            "0.10",
            "-1e+05",
            "\"\"",
            "\"\\/\\u00FC ü \\ud83d\\ude00 😀\"",
            "\"{{\"",
            "\"}}\"",
            "\"{{}} {{ }}\"",
            "\"\\ud800\"",
            "\"{ {tok-number}}\"",
            "\"{%raw%}\"",
            "\"\\\\u007b{tok-number}}\"")
        .map(text -> new Fragment(text, text));
  }

  private Arbitrary<Fragment> wholeString() {
    return expression().map(each -> new Fragment('"' + each.text() + '"', TOKENS.get(each.id())));
  }

  private Arbitrary<Fragment> partOfString() {
    return Arbitraries.of("x", " ", "}}x", "\\\"")
        .flatMap(
            text ->
                expression()
                    .map(
                        each ->
                            new Fragment(
                                '"' + text + each.text() + text + '"',
                                '"' + text + AS_CONTENT.get(each.id()) + text + '"')));
  }

  private record Expression(String id, String text) {}

  private Arbitrary<Expression> expression() {
    return Arbitraries.of(TOKENS.keySet())
        .flatMap(
            id ->
                Arbitraries.of("{{%s}}", "{{ %s\\t}}", "\\u007b{%s}\\u007D", "{\\u007B %s }}")
                    .map(form -> new Expression(id, String.format(form, id))));
  }

  private Arbitrary<String> space() {
    return Arbitraries.of("", " ", "\n\t", "\r\n");
  }

  private static Fragment surround(String start, Fragment fragment, String end) {
    return new Fragment(start + fragment.before() + end, start + fragment.after() + end);
  }

  private static Fragment join(List<Fragment> fragments, String separator) {
    return new Fragment(
        String.join(separator, fragments.stream().map(Fragment::before).toList()),
        String.join(separator, fragments.stream().map(Fragment::after).toList()));
  }
}
