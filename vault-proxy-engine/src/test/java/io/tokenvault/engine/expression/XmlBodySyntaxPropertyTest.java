package io.tokenvault.engine.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.engine.expression.PlantedXml.Piece;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;

/** XML with expressions planted in it, filled, and read by a parser that knows nothing of them. */
class XmlBodySyntaxPropertyTest {

  @Property(tries = 1500)
  void aParserFindsTheValuesAtTheirPlacesAndAllElseUnchanged(
      @ForAll("documents") PlantedXml document,
      @ForAll("values") Map<String, String> tokens,
      @ForAll("charsets") String name) {
    Charset charset = Charset.forName(name);
    byte[] body =
        ("<?xml version='1.0' encoding='" + name + "'?>" + document.raw()).getBytes(charset);

    if (document.acceptance().accepts(tokens, charset)) {
      assertThat(PlantedXml.parsed(Filled.bytes("application/xml", body, tokens)))
          .isEqualTo(document.expected(tokens));
    } else {
      assertThatThrownBy(() -> Filled.bytes("application/xml", body, tokens))
          .isInstanceOf(ValidationException.class);
    }
  }

  @Property(tries = 500)
  void aWatchSeesWhatIsReplaced(
      @ForAll("documents") PlantedXml document,
      @ForAll("charsets") String name,
      @ForAll @IntRange(min = 1, max = 50) int size) {
    byte[] body =
        ("<?xml version='1.0' encoding='" + name + "'?>" + document.raw())
            .getBytes(Charset.forName(name));
    TextualBody xml = TextualBody.of("application/xml").orElseThrow();

    assertThat(WatchTest.seen(xml, body, size)).isEqualTo(xml.read(body, bytes -> {}).isPresent());
  }

  @Property(tries = 500)
  void onlyTheExpressionsChange(@ForAll("documents") PlantedXml document) {
    // A return before an expression becomes the line feed that it means.
    String raw = document.raw().replace("\r", "\n");

    assertThat(Filled.text("text/xml", raw, Map.of("tok-a", "A", "tok-b", "B")))
        .isEqualTo(
            raw.replaceAll("\\{\\{\\s*tok-a[^}]*}}", "A")
                .replaceAll("\\{\\{\\s*tok-b[^}]*}}", "B"));
  }

  @Provide
  Arbitrary<String> charsets() {
    return Arbitraries.of("UTF-8", "UTF-16", "ISO-8859-1");
  }

  @Provide
  Arbitrary<Map<String, String>> values() {
    return Combinators.combine(value(), value()).as((a, b) -> Map.of("tok-a", a, "tok-b", b));
  }

  private static Arbitrary<String> value() {
    return joined(
        "a",
        "<",
        ">",
        "&",
        "&amp;",
        "\"",
        "'",
        "\r",
        "\n",
        "\t",
        " ",
        "]",
        "]]>",
        "<!--",
        "-->",
        "?>",
        "<![CDATA[",
        "{{tok-a}}",
        "}}",
        "ü",
        "€",
        "😀",
        "\u0085",
        "\u2028",
        "\ufffd");
  }

  private static Arbitrary<String> joined(String... parts) {
    return Arbitraries.of(parts).list().ofMaxSize(5).map(list -> String.join("", list));
  }

  @Provide
  Arbitrary<PlantedXml> documents() {
    return element(3);
  }

  private Arbitrary<PlantedXml> node(int depth) {
    return depth == 0
        ? leaf()
        : Arbitraries.frequencyOf(Tuple.of(4, leaf()), Tuple.of(1, element(depth)));
  }

  private Arbitrary<PlantedXml> leaf() {
    return Arbitraries.oneOf(
        run("&amp;", "&#13;", "\"", "'").map(PlantedXml::text),
        run("&amp;", "<b", "<!--", "\"", "'").map(PlantedXml::cdata),
        Arbitraries.of(
            PlantedXml.opaque("<!-- {{other}} < & ' -->", "comment  {{other}} < & ' "),
            PlantedXml.opaque("<!---->", "comment "),
            PlantedXml.opaque("<?go {{other}} > < ' ??>", "go {{other}} > < ' ?")));
  }

  private Arbitrary<PlantedXml> element(int depth) {
    return Combinators.combine(
            Arbitraries.of("a", "b:c", "_ü"),
            Arbitraries.maps(Arbitraries.of("x", "y-1", "xml:z"), run("&amp;", "&#13;", "/>", "--"))
                .ofMaxSize(2),
            Arbitraries.lazy(() -> node(depth - 1))
                .list()
                .ofMaxSize(4)
                .filter(XmlBodySyntaxPropertyTest::splitsNoLineEnd))
        .as(PlantedXml::element);
  }

  /** A return and a line feed are one line end for a parser, wherever they were written. */
  private static boolean splitsNoLineEnd(List<PlantedXml> children) {
    List<String> raws = children.stream().map(PlantedXml::raw).toList();
    return lineEnds(String.join("", raws))
        == raws.stream().mapToInt(XmlBodySyntaxPropertyTest::lineEnds).sum();
  }

  private static int lineEnds(String raw) {
    return raw.split("\r\n", -1).length - 1;
  }

  private static Arbitrary<List<Piece>> run(String... special) {
    Arbitrary<Piece> literal =
        Arbitraries.oneOf(
                Arbitraries.of(special),
                Arbitraries.of(" ", "\r", "\n", "\t", "]", ">", "{ ", "}}", "{{ }}", "ü", "x"))
            .map(raw -> new Piece(raw, ""));
    Arbitrary<Piece> planted =
        Combinators.combine(
                Arbitraries.of("{{%s}}", "{{\n%s }}", "{{ %s | append: '' }}"),
                Arbitraries.of("tok-a", "tok-b"))
            .as((form, token) -> new Piece(String.format(form, token), token));
    return Arbitraries.oneOf(literal, planted)
        .list()
        .ofMaxSize(6)
        .filter(pieces -> !PlantedXml.raw(pieces).contains("]]>"));
  }
}
