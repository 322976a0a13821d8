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
  record Piece(String before, String after) {}

  @Property(tries = 400)
  void onlyStringsWithExpressionsChange(@ForAll("documents") Piece document) {
    byte[] body = document.before().getBytes(StandardCharsets.UTF_8);
    TextualBody json = TextualBody.of("application/json").orElseThrow();

    String result =
        json.read(body, bytes -> {})
            .map(template -> template.fill(values()))
            .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
            .orElse(document.before());

    assertThat(result).isEqualTo(document.after());
  }

  @Property(tries = 400)
  void watchDetectsWhatIsReplaced(
      @ForAll("documents") Piece document, @ForAll @IntRange(min = 1, max = 9) int size) {
    byte[] body = document.before().getBytes(StandardCharsets.UTF_8);
    TextualBody json = TextualBody.of("application/json").orElseThrow();

    assertThat(WatchTest.seen(json, body, size))
        .isEqualTo(json.read(body, bytes -> {}).isPresent());
  }

  @Example
  void numbersMayBeOfAnyLength() {
    String number = "1".repeat(1200);
    TokenValues values =
        new TokenValues(Map.of("tok-long", SensitiveValue.ofText(number)), bytes -> {});
    TextualBody json = TextualBody.of("application/json").orElseThrow();
    byte[] body = ("[" + number + ",\"n{{tok-long}}\"]").getBytes(StandardCharsets.UTF_8);

    assertThat(json.read(body, bytes -> {}).orElseThrow().fill(values))
        .asString(StandardCharsets.UTF_8)
        .isEqualTo("[" + number + ",\"n" + number + "\"]");
  }

  private static TokenValues values() {
    Map<String, SensitiveValue> sealed = new HashMap<>();
    TOKENS.forEach((id, json) -> sealed.put(id, SensitiveValue.ofText(json)));
    return new TokenValues(sealed, bytes -> {});
  }

  @Provide
  Arbitrary<Piece> documents() {
    return value(3).flatMap(piece -> space().map(gap -> around(gap, piece, gap)));
  }

  private Arbitrary<Piece> value(int depth) {
    Arbitrary<Piece> leaf = Arbitraries.oneOf(untouched(), whole(), inside());
    if (depth == 0) {
      return leaf;
    }
    return Arbitraries.oneOf(leaf, array(depth), object(depth));
  }

  private Arbitrary<Piece> array(int depth) {
    return value(depth - 1).list().ofMaxSize(4).map(items -> around("[", join(items, " ,\n"), "]"));
  }

  private Arbitrary<Piece> object(int depth) {
    Arbitrary<String> names = Arbitraries.of("\"a\"", "\"\\u00e9\"", "\"{{tok-number}}\"", "\"\"");
    return names
        .flatMap(name -> value(depth - 1).map(piece -> around(name + "\t: ", piece, "")))
        .list()
        .ofMaxSize(4)
        .map(members -> around("{", join(members, ","), "}"));
  }

  private Arbitrary<Piece> untouched() {
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
        .map(text -> new Piece(text, text));
  }

  private Arbitrary<Piece> whole() {
    return expression().map(each -> new Piece('"' + each.written() + '"', TOKENS.get(each.id())));
  }

  private Arbitrary<Piece> inside() {
    return Arbitraries.of("x", " ", "}}x", "\\\"")
        .flatMap(
            text ->
                expression()
                    .map(
                        each ->
                            new Piece(
                                '"' + text + each.written() + text + '"',
                                '"' + text + AS_CONTENT.get(each.id()) + text + '"')));
  }

  private record Written(String id, String written) {}

  private Arbitrary<Written> expression() {
    return Arbitraries.of(TOKENS.keySet())
        .flatMap(
            id ->
                Arbitraries.of("{{%s}}", "{{ %s\\t}}", "\\u007b{%s}\\u007D", "{\\u007B %s }}")
                    .map(form -> new Written(id, String.format(form, id))));
  }

  private Arbitrary<String> space() {
    return Arbitraries.of("", " ", "\n\t", "\r\n");
  }

  private static Piece around(String start, Piece piece, String end) {
    return new Piece(start + piece.before() + end, start + piece.after() + end);
  }

  private static Piece join(List<Piece> pieces, String separator) {
    return new Piece(
        String.join(separator, pieces.stream().map(Piece::before).toList()),
        String.join(separator, pieces.stream().map(Piece::after).toList()));
  }
}
