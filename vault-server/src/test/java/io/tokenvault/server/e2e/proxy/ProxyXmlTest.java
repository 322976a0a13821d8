package io.tokenvault.server.e2e.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.ProxyFixture;
import io.tokenvault.server.e2e.fixture.Response;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Expressions in XML bodies (decisions.md, section 6). */
final class ProxyXmlTest {

  private static final String XML = "application/xml";
  private static final String DATA = "<a href=\"x\">'Tom' & \"Jerry\"</a>";

  private final ProxyFixture fixture = new ProxyFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  private String expressionOf(Object data) {
    return "{{" + fixture.token(data) + "}}";
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        XML,
        "text/xml",
        "application/soap+xml; charset=utf-8; action=\"urn:x\"",
        "Application/Atom+XML"
      })
  void everyKindOfXmlIsRead(String contentType) {
    assertThat(fixture.passed(contentType, "<a>" + expressionOf(DATA) + "</a>"))
        .isEqualTo("<a>&lt;a href=\"x\"&gt;'Tom' &amp; \"Jerry\"&lt;/a&gt;</a>");
  }

  @Test
  void eachPlaceIsEscapedAsItNeeds() {
    String token = expressionOf(DATA);
    String form =
        "<?xml version=\"1.0\"?>\r\n<a  b='1'\tc=\"%s\"\n d='%s' ><![CDATA[%s]]></a >\r\n";

    assertThat(fixture.passed(XML, form.formatted(token, token, token)))
        .isEqualTo(
            form.formatted(
                "&lt;a href=&quot;x&quot;&gt;&apos;Tom&apos; &amp; &quot;Jerry&quot;&lt;/a&gt;",
                "&lt;a href=&quot;x&quot;&gt;&apos;Tom&apos; &amp; &quot;Jerry&quot;&lt;/a&gt;",
                DATA));
  }

  @Test
  void commentsAndInstructionsAreNotReplaced() {
    String body = "<!-- {{no-such}} --><?go {{no-such}}?><a>%s<!--{{no-such}}--></a>";

    assertThat(fixture.passed(XML, body.formatted(expressionOf(7)))).isEqualTo(body.formatted(7));
  }

  @Test
  void filtersAreWrittenAsTheAttributeNeeds() {
    String token = fixture.token(Json.object("a", "<1>"));

    assertThat(fixture.passed(XML, "<a b=\"{{ " + token + " | json: &quot;$.a&quot; }}\"/>"))
        .isEqualTo("<a b=\"&lt;1&gt;\"/>");
  }

  @Test
  void theDeclaredCharsetIsKept() {
    Charset latin = StandardCharsets.ISO_8859_1;
    String before = "<?xml version='1.0' encoding='ISO-8859-1'?><a>é";

    fixture
        .post()
        .body(XML, (before + expressionOf("ü€") + "</a>").getBytes(latin))
        .send()
        .expect(200);

    assertThat(fixture.destination.received().getBody().string(latin))
        .isEqualTo(before + "ü&#8364;</a>");
  }

  @Test
  void whatCannotBeWrittenIsRefusedAndNothingLeaves() {
    String end = expressionOf("]]>");
    String control = expressionOf("secret\u0001");
    for (String body :
        List.of(
            "<a><![CDATA[" + end + "]]></a>",
            "<a>" + control + "</a>",
            "<a b='" + control + "'/>",
            "<a>" + end + "</b>",
            "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/hostname'>]><a>&x;" + end + "</a>")) {
      Response response = fixture.post().body(XML, body).send();
      fixture.refusedBeforeAnythingLeft(response, 400, "validation-failed");
      assertThat(response.text()).doesNotContain("secret", "]]>");
    }
  }

  @Test
  void malformedXmlPassesWithoutExpressions() {
    String body = "<a>{{ }}<b>&nbsp;</a><!-- {{no-such}} -->";

    assertThat(fixture.passed(XML, body)).isEqualTo(body);
  }

  @Test
  void aLargeDocumentIsWatched() {
    String rows = "<row a='{'>{</row><!--{{no-such}}-->".repeat(400_000);
    String large = "<a>" + rows + "</a>";

    assertThat(fixture.passed(XML, large)).isEqualTo(large);
    Response response = fixture.post().body(XML, "<a>" + rows + expressionOf(1) + "</a>").send();
    fixture.refused(response, 413, "body-too-large");
  }
}
