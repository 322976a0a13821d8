package io.tokenvault.engine.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.failure.ValidationException;
import java.io.ByteArrayInputStream;
import java.nio.charset.Charset;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Verifies with an independent parser that XML contains the inserted token data. */
class XmlBodySyntaxPropertyTest {

  private static final String BODY =
      "<?xml version='1.0' encoding='%s'?><!-- {{t}} --><r a=\"x {{t}}\" b='{{t}}y'>"
          + "<p>]{{t}}></p><p>&amp;{{ t | append: '' }}</p></r>";

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
    return BodyDetokenizer.detokenize(
        "application/xml", body, Map.of("t", value), Charset.forName(charset));
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
