package io.tokenvault.engine.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.failure.ValidationException;
import java.io.ByteArrayInputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Tests expressions in XML bodies. */
class XmlBodySyntaxTest {

  private static final String XML = "application/xml";
  private static final Map<String, String> TOKENS =
      Map.of(
          "marks", "<&>\"'",
          "lines", "a\r\nb\tc",
          "end", "]]>",
          "bracket", "]",
          "euro", "€",
          "empty", "",
          "object", "{\"a\":1}",
          "nested", "{{marks}}");

  private static final String BODY =
      "<?xml version='1.0' encoding='%s'?><!-- {{t}} --><r a=\"x {{t}}\" b='{{t}}y'>"
          + "<p>]{{t}}></p><p>&amp;{{ t | append: '' }}</p></r>";

  private static String detokenize(String body) {
    return BodyDetokenizer.detokenize(XML, body, TOKENS);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '¦',
      quoteCharacter = '`',
      value = {
        "<a>{{marks}}</a>                  ¦ <a>&lt;&amp;&gt;\"'</a>",
        "<a b=\"{{marks}}\"/>              ¦ <a b=\"&lt;&amp;&gt;&quot;&apos;\"/>",
        "<a  b = '{{ marks }}' ></a >      ¦ <a  b = '&lt;&amp;&gt;&quot;&apos;' ></a >",
        "<a><![CDATA[{{marks}}]]></a>      ¦ <a><![CDATA[<&>\"']]></a>",
        "<a>{{lines}}</a>                  ¦ `<a>a&#13;\nb\tc</a>`",
        "<a b='{{lines}}'/>                ¦ <a b='a&#13;&#10;b&#9;c'/>",
        "<a>{{end}}</a>                    ¦ <a>]]&gt;</a>",
        "<a>]{{bracket}}></a>              ¦ <a>]]&gt;</a>",
        "<a>]]{{empty}}></a>               ¦ <a>]]&gt;</a>",
        "<a b=']]{{empty}}>'/>             ¦ <a b=']]>'/>",
        "<a><![CDATA[]{{bracket}}]]></a>   ¦ <a><![CDATA[]]]]></a>",
        "<a>{{nested}}</a>                 ¦ <a>{{marks}}</a>",
        "<a>{{marks | size}}{{euro}}</a>   ¦ <a>5€</a>",
        "<a b=\"{{ euro | append: &quot;&#x26;&lt;&#62;&quot; }}\"/> ¦ <a b=\"€&amp;&lt;&gt;\"/>",
        "<a>{{ euro | append: &apos;}&#125;&apos;}}</a>    ¦ <a>€}}</a>",
        "<a><![CDATA[{{ euro | append: '&lt;' }}]]></a>             ¦ <a><![CDATA[€&lt;]]></a>",
        "<a>{{object}}</a>                 ¦ <a>{\"a\":1}</a>"
      })
  void dataIsEscapedForItsContext(String body, String expected) {
    assertThat(detokenize(body.translateEscapes())).isEqualTo(expected.translateEscapes());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<!-- {{marks}} --><a/>",
        "<?xml version='1.0'?><?{{marks}} {{marks}}?><a/><!--<a>{{marks}}-->",
        "<!DOCTYPE a SYSTEM '{{marks}}>'><a/>",
        "<!DOCTYPE a [<!-- ' --><!ENTITY b '{{marks}}]>'>]><a/>",
        "<a>{{<b/>marks}}</a>",
        "<a>{{<!---->marks}}</a>",
        "<a b='{{' c='marks}}'/>",
        "<a>{{<![CDATA[marks}}]]></a>",
        "<a>&#123;{marks}}</a>",
        "<a>{{}}{{ \t}}{{</a>",
        "<a>{{</b>",
        "<<<>>>&&&",
        "<a b=<![CDATA["
      })
  void nonExpressionIsUnchanged(String body) {
    TextualBody kind = TextualBody.of(XML).orElseThrow();

    assertThat(detokenize(body)).isEqualTo(body);
    assertThat(ByteScannerTest.findsExpression(kind, body.getBytes(StandardCharsets.UTF_8), 3))
        .isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<a>{{marks}}",
        "<a>{{marks}}</b>",
        "{{marks}}",
        "<a>{{marks}}</a><b/>",
        "<a>&{{marks}};</a>",
        "<a>& {{marks}}</a>",
        "<a b={{marks}}/>",
        "<a {{marks}}=''/>",
        "<{{marks}}/>",
        "<a b='' b='{{marks}}'/>",
        "<a b='<'>{{marks}}</a>",
        "<a>{{ marks | append: '<' }}</a>",
        "<a>{{marks}}]]></a>",
        "<a>\u0001{{marks}}</a>",
        "<a>&#0;{{marks}}</a>",
        "<a>{{marks}}<![CDATA[</a>",
        "<a><![CDATA[{{marks}}</a>",
        "<?xml version='1.1'?><a>{{marks}}</a>",
        "<!DOCTYPE a [<!ENTITY b 'c'>]><a>{{marks}}</a>",
        "<!DOCTYPE a [ \u0001 ]><a>{{marks}}</a>",
        "<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/hostname'>]><a>{{marks}}&b;</a>",
        "<a>{{ marks | append: '&unknown;' }}</a>",
        "<a>{{&#32;}}</a>",
        "<a>{{marks | }}</a>"
      })
  void malformedXmlWithExpressionIsRejected(String body) {
    assertThatThrownBy(() -> detokenize(body)).isInstanceOf(ValidationException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<a><![CDATA[{{end}}]]></a>",
        "<a><![CDATA[{{bracket}}{{bracket}}>]]></a>",
        "<a><![CDATA[]{{bracket}}{{empty}}>]]></a>",
        "<a><![CDATA[]]{{empty}}>]]></a>",
        "<a><![CDATA[{{lines}}]]></a>"
      })
  void dataThatCdataCannotRepresentIsRejected(String body) {
    assertThatThrownBy(() -> detokenize(body))
        .isInstanceOf(ValidationException.class)
        .hasMessageNotContaining("]]>");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\u0000", "\u0001", "\u001f", "\ufffe", "\uffff"})
  void characterNotAllowedInXmlIsRejected(String character) {
    for (String body :
        new String[] {"<a>{{t}}</a>", "<a b='{{t}}'/>", "<a><![CDATA[{{t}}]]></a>"}) {
      assertThatThrownBy(() -> BodyDetokenizer.detokenize(XML, body, Map.of("t", "x" + character)))
          .isInstanceOf(ValidationException.class);
    }
  }

  @Test
  void carriageReturnBeforeDataPreservesItsLines() {
    assertThat(BodyDetokenizer.detokenize(XML, "<a>\r{{t}}\r\n</a>", Map.of("t", "\nx")))
        .isEqualTo("<a>\n\nx\r\n</a>");
    assertThat(BodyDetokenizer.detokenize(XML, "<a>\r{{t}}\n</a>", Map.of("t", "")))
        .isEqualTo("<a>\n\n</a>");
    assertThat(BodyDetokenizer.detokenize(XML, "<a>\r\r{{t}}</a>", Map.of("t", "")))
        .isEqualTo("<a>\n\n</a>");
  }

  @Test
  void documentTypeWithoutDeclarationsIsAccepted() {
    String before = "<?xml version=\"1.0\"?>\n<!DOCTYPE a PUBLIC \"-//X\" 'http://x.invalid/]>'>";

    assertThat(detokenize(before + "<a>{{euro}}</a>")).isEqualTo(before + "<a>€</a>");
  }

  @Test
  void entityBombAndDeepNestingAreRejected() {
    StringBuilder bomb = new StringBuilder("<!DOCTYPE a [<!ENTITY e0 'x'>");
    for (int i = 1; i < 60; i++) {
      bomb.append("<!ENTITY e%d '&e%d;&e%d;'>".formatted(i, i - 1, i - 1));
    }
    bomb.append("]><a>&e59;{{euro}}</a>");

    assertThatThrownBy(() -> detokenize(bomb.toString())).isInstanceOf(ValidationException.class);
    assertThatThrownBy(
            () -> detokenize("<a>".repeat(200_000) + "{{euro}}" + "</a>".repeat(200_000)))
        .isInstanceOf(ValidationException.class);
    assertThat(detokenize("<a>".repeat(9_000) + "{{euro}}" + "</a>".repeat(9_000))).contains("€");
  }

  @ParameterizedTest
  @CsvSource({
    "application/xml, UTF-8, <a>{{euro}}</a>, <a>€</a>",
    "text/xml;charset=us-ascii, US-ASCII, <a>{{euro}}</a>, <a>&#8364;</a>",
    "image/svg+xml;charset=us-ascii, US-ASCII, <a>{{euro}}</a>, <a>&#8364;</a>",
    "application/xml, ISO-8859-1, <?xml version='1.0' encoding='ISO-8859-1'?><a>ü{{euro}}</a>, <?xml version='1.0' encoding='ISO-8859-1'?><a>ü&#8364;</a>",
    "application/xml, windows-1252, <?xml version=\"1.0\" encoding=\"windows-1252\"?><a>ü{{euro}}</a>, <?xml version=\"1.0\" encoding=\"windows-1252\"?><a>ü€</a>",
    "application/xml; charset=utf-8, UTF-8, <?xml version='1.0' encoding='none-such'?><a>ü{{euro}}</a>, <?xml version='1.0' encoding='none-such'?><a>ü€</a>",
    "application/xml, UTF-16, <a>{{euro}}</a>, <a>€</a>",
    "application/xml, UTF-16LE, \uFEFF<a>{{euro}}</a>, \uFEFF<a>€</a>",
    "application/xml; charset=utf-16, UTF-16LE, \uFEFF<a>{{euro}}</a>, \uFEFF<a>€</a>",
    "application/xml, UTF-8, \uFEFF<a>{{euro}}</a>, \uFEFF<a>€</a>",
    "application/xml, UTF-16BE, <?xml version='1.0' encoding='utf-16'?><a>{{euro}}</a>, <?xml version='1.0' encoding='utf-16'?><a>€</a>"
  })
  void charsetIsDetectedAndPreserved(String type, String charset, String body, String expected) {
    Charset named = Charset.forName(charset);

    assertThat(BodyDetokenizer.detokenize(type, body.getBytes(named), TOKENS))
        .isEqualTo(expected.getBytes(named));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<?xml version='1.0' encoding='none-such'?><a>{{euro}}</a>",
        "<?xml version='1.0' encoding='utf-16'?><a>{{euro}}</a>",
        "<?xml version='1.0' encoding='us-ascii'?><a>ü{{euro}}</a>",
        "<?xml version='1.0' encoding='us-ascii'?><a><![CDATA[{{euro}}]]></a>"
      })
  void impossibleCharsetIsRejected(String body) {
    assertThatThrownBy(() -> detokenize(body)).isInstanceOf(ValidationException.class);
    assertThat(detokenize(body.replace("{{euro}}", ""))).isEqualTo(body.replace("{{euro}}", ""));
  }

  @Test
  void charsetThatCannotReproduceBodyIsRejected() {
    String asciiTwice = "\u001b(B\u001b(B";
    byte[] body = (asciiTwice + "<a>{{euro}}</a>").getBytes(StandardCharsets.US_ASCII);

    assertThatThrownBy(
            () -> BodyDetokenizer.detokenize("text/xml; charset=ISO-2022-JP", body, TOKENS))
        .isInstanceOf(ValidationException.class);
  }

  @Property(tries = 500)
  void parserReadsValueInTextsAndAttributes(
      @ForAll("values") String value, @ForAll("charsets") String charset) throws Exception {
    String written = detokenize(BODY.formatted(charset), value, charset);
    Element root = parse(written, charset);
    NodeList texts = root.getElementsByTagName("p");

    assertThat(written).contains("<!-- {{t}} -->");
    assertThat(root.getAttribute("a")).isEqualTo("x " + value);
    assertThat(root.getAttribute("b")).isEqualTo(value + "y");
    assertThat(texts.item(0).getTextContent()).isEqualTo("]" + value + ">");
    assertThat(texts.item(1).getTextContent()).isEqualTo("&" + value);
  }

  @Property(tries = 500)
  void valueInCdataIsReadByParserOrRejected(
      @ForAll("values") String value, @ForAll("charsets") String charset) throws Exception {
    String body = "<?xml version='1.0' encoding='%s'?><r><![CDATA[]{{t}}>]]></r>";
    String content = "]" + value + ">";
    boolean isRepresentable =
        !content.contains("]]>")
            && value.indexOf('\r') < 0
            && Charset.forName(charset).newEncoder().canEncode(value);

    if (isRepresentable) {
      assertThat(
              parse(detokenize(body.formatted(charset), value, charset), charset).getTextContent())
          .isEqualTo(content);
    } else {
      assertThatThrownBy(() -> detokenize(body.formatted(charset), value, charset))
          .isInstanceOf(ValidationException.class);
    }
  }

  private static String detokenize(String body, String value, String charset) {
    return BodyDetokenizer.detokenize(XML, body, Map.of("t", value), Charset.forName(charset));
  }

  private static Element parse(String document, String charset) throws Exception {
    return DocumentBuilderFactory.newDefaultInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(document.getBytes(Charset.forName(charset))))
        .getDocumentElement();
  }

  @Provide
  Arbitrary<String> charsets() {
    return Arbitraries.of("UTF-8", "UTF-16", "ISO-8859-1");
  }

  @Provide
  Arbitrary<String> values() {
    String parts =
        "a|<|>|&|&amp;|\"|'|\r|\n|\t| |]|]]>|<!--|-->|?>|<![CDATA[|{{t}}|}}|ü|€|😀|\u0085|\u2028";
    return Arbitraries.of(parts.split("\\|")).list().ofMaxSize(5).map(l -> String.join("", l));
  }
}
