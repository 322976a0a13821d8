package io.tokenvault.server.e2e.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.e2e.fixture.ProxyFixture;
import io.tokenvault.server.e2e.fixture.Response;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Expressions in multipart bodies (decisions.md, section 6). */
final class ProxyMultipartTest {

  private static final String TYPE = "multipart/form-data; boundary=----Form7MA4";
  private static final String NEXT = "\r\n------Form7MA4\r\n";
  private static final String LAST = "\r\n------Form7MA4--\r\n";
  private static final String FILE =
      "Content-Disposition: form-data; name=\"f\"; filename=\"f.bin\"\r\n"
          + "Content-Type: application/octet-stream\r\n\r\n";

  private final ProxyFixture fixture = new ProxyFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  private String expressionOf(Object data) {
    return "{{" + fixture.token(data) + "}}";
  }

  private static String field(String content) {
    return "Content-Disposition: form-data; name=\"field\"\r\n\r\n" + content;
  }

  private static String first(String part) {
    return NEXT.substring(2) + part;
  }

  @Test
  void fieldsAreReplacedAndFilesAreNot() {
    String form =
        first(field("%s"))
            + NEXT
            + "Content-Type: application/json\r\n\r\n{\"a\":%s}"
            + NEXT
            + "Content-Type: text/xml\r\n\r\n<a>%s</a>"
            + NEXT
            + FILE
            + "{{no-such}}"
            + NEXT
            + "Content-Transfer-Encoding: base64\r\n\r\n{{no-such}}"
            + LAST;
    String token = expressionOf("1 < \"2\"");

    assertThat(fixture.passed(TYPE, form.formatted(token, '"' + token + '"', token)))
        .isEqualTo(form.formatted("1 < \"2\"", "\"1 < \\\"2\\\"\"", "1 &lt; \"2\""));
  }

  @Test
  void aFileKeepsItsBytes() {
    byte[] noise = new byte[100_000];
    new Random(7).nextBytes(noise);
    String file = new String(noise, StandardCharsets.ISO_8859_1);
    String form = first(field("%s")) + NEXT + FILE;

    fixture
        .post()
        .body(TYPE, latin(form.formatted(expressionOf("x")) + file + LAST))
        .send()
        .expect(200);

    assertThat(fixture.destination.received().getBody().toByteArray())
        .isEqualTo(latin(form.formatted("x") + file + LAST));
  }

  private static byte[] latin(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  @Test
  void dataCannotAddAPart() {
    for (String data :
        List.of(
            NEXT + "Content-Disposition: form-data; name=\"admin\"\r\n\r\ntrue", "----Form7MA4")) {
      Response response =
          fixture.post().body(TYPE, first(field(expressionOf("secret" + data))) + LAST).send();
      fixture.refusedBeforeAnythingLeft(response, 400, "validation-failed");
      assertThat(response.text()).doesNotContain("secret");
    }
  }

  @Test
  void aMalformedBodyPassesWithoutExpressionsOnly() {
    String unfinished = first(field("{{ }}"));

    assertThat(fixture.passed(TYPE, unfinished)).isEqualTo(unfinished);
    assertThat(fixture.passed("multipart/form-data", unfinished + LAST))
        .isEqualTo(unfinished + LAST);
    String token = expressionOf("secret");
    fixture.refused(
        fixture.post().body(TYPE, first(field(token))).send(), 400, "validation-failed");
    fixture.refused(
        fixture.post().body("multipart/mixed", first(field(token)) + LAST).send(),
        400,
        "validation-failed");
    assertThat(fixture.destination.count()).isEqualTo(2);
  }

  @Test
  void aLargeFileStreamsWhateverItHolds() {
    String file = first(FILE) + "{{no-such}} \u0000".repeat(1_000_000) + NEXT;
    String form = file + field("text") + LAST;

    assertThat(fixture.passed(TYPE, form)).isEqualTo(form);
    Response response =
        fixture.post().body(TYPE, file + field(expressionOf("secret")) + LAST).send();
    fixture.refused(response, 413, "body-too-large");
  }
}
