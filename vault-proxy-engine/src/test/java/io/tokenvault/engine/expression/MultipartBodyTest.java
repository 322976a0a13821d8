package io.tokenvault.engine.expression;

import static io.tokenvault.engine.expression.ByteScannerTest.findsExpression;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.failure.ValidationException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests expressions in multipart bodies. */
class MultipartBodyTest {

  private static final String TYPE = "multipart/form-data; boundary=xYz";
  private static final Map<String, String> TOKENS =
      Map.of(
          "mark", "<\"&>",
          "lines", "a\r\nb",
          "boundary", "xYz",
          "dashes", "--",
          "delimiter", "\r\n--xYz--\r\n",
          "half", "xY",
          "euro", "€");

  private static final String BOUNDARY = "b-B";

  private static String detokenize(String body) {
    return BodyDetokenizer.detokenize(TYPE, body, TOKENS);
  }

  /** Returns a body with one part, whose headers are separated by commas. */
  private static String part(String headers, String content) {
    String lines = headers.isEmpty() ? "" : headers.replace(",", "\r\n") + "\r\n";
    return "--xYz\r\n" + lines + "\r\n" + content + "\r\n--xYz--\r\n";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '¦',
      quoteCharacter = '`',
      value = {
        "``                                           ¦ a{{mark}}  ¦ a<\"&>",
        "``                                           ¦ {{lines}}  ¦ `a\r\nb`",
        "Content-Disposition: form-data; name=\"n\"   ¦ {{mark}}   ¦ <\"&>",
        "content-type:text/csv                        ¦ {{mark}}   ¦ <\"&>",
        "Content-Type: application/json               ¦ [\"{{mark}}\"] ¦ [\"<\\\"&>\"]",
        "X: y,Content-Type: application/vnd.a+xml     ¦ <a>{{mark}}</a> ¦ <a>&lt;\"&amp;&gt;</a>",
        "Content-Type: application/x-www-form-urlencoded ¦ a=%7b{mark}} ¦ a=%3C%22%26%3E",
        "`Content-Type: text/html;, charset=utf-8`    ¦ {{mark}}   ¦ <\"&>",
        "Content-Transfer-Encoding: 8BIT              ¦ {{mark}}   ¦ <\"&>",
        "Content-Transfer-Encoding: binary            ¦ {{mark}}   ¦ <\"&>",
        "Content-Encoding: identity                   ¦ {{mark}}   ¦ <\"&>"
      })
  void textualPartsAreReplacedInTheirSyntax(String headers, String content, String expected) {
    assertThat(detokenize(part(headers, content))).isEqualTo(part(headers, expected));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Transfer-Encoding: base64",
        "content-transfer-encoding:Quoted-Printable",
        "Content-Encoding: gzip",
        "Content-Type: application/octet-stream",
        "Content-Type: image/png,Content-Type: text/plain",
        "Content-Type: application/json,Content-Type: application/xml",
        "Content-Disposition: form-data; name=\"f\"; filename=\"f.bin\",Content-Type: application/pdf"
      })
  void otherPartsAreUnchanged(String headers) {
    String body = part(headers, "{{mark}}{{no such | thing}}");

    assertThat(detokenize(body)).isEqualTo(body);
    assertThat(detokenize(body + "\r\n{{mark}}")).isEqualTo(body + "\r\n{{mark}}");
  }

  @Test
  void onlyPartContentIsReplaced() {
    String body =
        "{{mark}}\r\n--xYz \t\r\nContent-Disposition: form-data; name=\"{{mark}}\"\r\n\r\n"
            + "%s\r\n--xYz\r\n\r\n--xYz\r\nX-Only: {{mark}}\r\n--xYz\r\n\r\n{{\r\n--xYz\r\n\r\nmark}}"
            + "\r\n--xYz--  \r\nepilogue {{mark}}\r\n--xYz\r\n\r\n{{mark}}";

    assertThat(detokenize(body.formatted("{{euro}}"))).isEqualTo(body.formatted("€"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "multipart/mixed; boundary=xYz",
        "multipart/mixed;boundary=\"xYz\"",
        "Multipart/Related; type=\"a;boundary=no\"; BOUNDARY = \"x\\Yz\" ; start=a",
        "multipart/form-data; boundary=xYz; boundary=xYz"
      })
  void boundaryIsReadFromContentType(String type) {
    assertThat(BodyDetokenizer.detokenize(type, part("", "{{euro}}"), TOKENS))
        .isEqualTo(part("", "€"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "multipart/form-data",
        "multipart/form-data; boundary=",
        "multipart/form-data; boundary=\"\"",
        "multipart/form-data; boundary=other",
        "multipart/form-data; boundary=\"xYz \"",
        "multipart/form-data; boundary=xYz; boundary=other",
        "multipart/form-data; boundary=xYz; boundary*=utf-8''other",
        "multipart/form-data; x=\"; boundary=xYz\"",
        "multipart/form-data; boundary=\"x\u00fcz\""
      })
  void expressionInBodyWithoutBoundaryIsRejected(String type) {
    String body = part("", "{{ }}");

    assertThat(BodyDetokenizer.detokenize(type, body, TOKENS)).isEqualTo(body);
    assertThatThrownBy(() -> BodyDetokenizer.detokenize(type, part("", "{{euro}}"), TOKENS))
        .isInstanceOf(ValidationException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--xYz\r\n\r\n%s",
        "--xYz\r\n\r\n%s\r\n--xYz",
        "--xYz\r\n\r\n%s\r\n--xYz\r\n",
        "--xYz\r\n\r\n%s\r\n--xYz-",
        "--xYz\n\n%s\n--xYz--\n",
        "--xYz\r\n\n%s\r\n--xYz--\r\n",
        "--xYz\r\n\r\n%s\r\n--xYzz\r\n\r\n\r\n--xYz--",
        "--xYz\r\n\r\n\r\n--xYz-- junk\r\n%s",
        "%s",
        "%s\r\n--xYz--",
        "%s\r\n--xYz--\r\n",
        "x--xYz\r\n\r\n%s\r\n--xYz--\r\n"
      })
  void expressionInMalformedBodyIsRejected(String form) {
    assertThat(detokenize(form.formatted("{{ }}"))).isEqualTo(form.formatted("{{ }}"));
    assertThatThrownBy(() -> detokenize(form.formatted("{{euro}}")))
        .isInstanceOf(ValidationException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{{boundary}}",
        "--{{boundary}}",
        "a{{delimiter}}b",
        "{{half}}z {{boundary}}",
        "--{{half}}z",
        "{{dashes}}xYz",
        "-{{dashes}}xYz",
        "{{dashes}}{{half}}z"
      })
  void dataThatFormsBoundaryIsRejected(String content) {
    assertThatThrownBy(() -> detokenize(part("", content)))
        .isInstanceOf(ValidationException.class)
        .hasMessageNotContaining("xYz");
    assertThatThrownBy(
            () -> detokenize(part("Content-Type: application/json", "[\"" + content + "\"]")))
        .isInstanceOf(ValidationException.class);
  }

  @Test
  void boundaryTextOutsideDataIsAccepted() {
    assertThat(detokenize(part("", "xYz {{half}} {{dashes}}"))).isEqualTo(part("", "xYz xY --"));
  }

  @Test
  void nestedMultipartIsReadUpToMaximumDepth() {
    for (int depth = 1; depth <= 5; depth++) {
      assertThat(detokenize(nested(depth, "{{euro}}"))).isEqualTo(nested(depth, "€"));
    }
    assertThat(detokenize(nested(6, "{{euro}}"))).isEqualTo(nested(6, "{{euro}}"));
    assertThatThrownBy(() -> detokenize(nested(3, "{{boundary}}")))
        .isInstanceOf(ValidationException.class);
  }

  private static String nested(int depth, String content) {
    String body = content;
    String headers = "";
    for (int i = depth; i > 1; i--) {
      String inner = "inner" + i;
      body = part(headers, body).replace("--xYz", "--" + inner);
      headers = "Content-Type: multipart/mixed; boundary=" + inner;
    }
    return part(headers, body);
  }

  @Test
  void eachPartUsesItsOwnCharset() {
    byte[] utf16 = "{{euro}}".getBytes(StandardCharsets.UTF_16LE);
    String before =
        "--xYz\r\nContent-Type: text/plain; charset=windows-1252\r\n\r\n{{euro}}\r\n"
            + "--xYz\r\nContent-Type: application/xml; charset=us-ascii\r\n\r\n<a>{{euro}}</a>\r\n"
            + "--xYz\r\nContent-Type: text/plain; charset=utf-16le\r\n\r\n";
    Charset latin = StandardCharsets.ISO_8859_1;
    String body = before + new String(utf16, latin) + "\r\n--xYz--";

    String result = BodyDetokenizer.detokenize(TYPE, body, TOKENS, latin);

    assertThat(result)
        .isEqualTo(
            before.replaceFirst("\\{\\{euro}}", "\u0080").replace("{{euro}}", "&#8364;")
                + "\u00ac\u0020\r\n--xYz--");
  }

  @Test
  void bodyWithTooManyPartsIsRejected() {
    String body = "--xYz\r\n\r\n\r\n".repeat(10_001) + "--xYz\r\n\r\n{{euro}}\r\n--xYz--";

    assertThatThrownBy(() -> detokenize(body)).isInstanceOf(ValidationException.class);
  }

  @Test
  void expressionInTooLongPreambleIsRejected() {
    TextualBody kind = TextualBody.of(TYPE).orElseThrow();
    String preamble = "{{euro}}" + "x".repeat(70_000);

    assertThat(findsExpression(kind, preamble.getBytes(StandardCharsets.UTF_8), 1_000)).isTrue();
    assertThatThrownBy(() -> detokenize(preamble + "\r\n" + part("", "x")))
        .isInstanceOf(ValidationException.class);
    String shorter = preamble.substring(0, 60_000) + "\r\n" + part("", "x");
    assertThat(findsExpression(kind, shorter.getBytes(StandardCharsets.UTF_8), 1_000)).isFalse();
    assertThat(detokenize(shorter)).isEqualTo(shorter);
  }

  @Test
  void expressionAfterTooManyHeadersIsRejected() {
    String body = "--xYz\r\n" + "X: y\r\n".repeat(100_000);

    assertThat(detokenize(body)).isEqualTo(body);
    assertThatThrownBy(() -> detokenize(body + "\r\n{{euro}}\r\n--xYz--"))
        .isInstanceOf(ValidationException.class);
  }

  /** A part and its expected content, in which {@code %s} is the token data. */
  private record Part(String headers, String written, String expected) {}

  @Property(tries = 1500)
  void readerFindsValuesInPlaceAndOtherContentUnchanged(
      @ForAll("bodies") List<Part> parts,
      @ForAll("values") String value,
      @ForAll("outerText") String preamble,
      @ForAll("outerText") String epilogue) {
    String body = preamble + join(parts) + epilogue;
    List<String> expected = new ArrayList<>();
    parts.forEach(part -> expected.add(part.headers() + part.expected().replace("%s", value)));
    boolean isRejected = expected.stream().anyMatch(each -> each.contains(BOUNDARY));

    if (isRejected) {
      assertThatThrownBy(() -> detokenize(body, value)).isInstanceOf(ValidationException.class);
      return;
    }
    String result = detokenize(body, value);
    assertThat(result).startsWith(preamble).endsWith("\r\n--" + BOUNDARY + "--" + epilogue);
    assertThat(read(result.substring(preamble.length()))).isEqualTo(expected);
  }

  @Property(tries = 1000)
  void scannerDetectsReplacedExpressions(
      @ForAll("bodies") List<Part> parts,
      @ForAll("outerText") String preamble,
      @ForAll("outerText") String epilogue,
      @ForAll @IntRange(min = 1, max = 20) int size) {
    byte[] body = (preamble + join(parts) + epilogue).getBytes(StandardCharsets.ISO_8859_1);
    TextualBody kind = TextualBody.of("multipart/mixed; boundary=" + BOUNDARY).orElseThrow();

    assertThat(findsExpression(kind, body, size))
        .isEqualTo(kind.read(body, bytes -> {}).isPresent());
  }

  private static String detokenize(String body, String value) {
    return BodyDetokenizer.detokenize(
        "multipart/mixed; boundary=\"" + BOUNDARY + '"',
        body,
        Map.of("tok", value),
        StandardCharsets.ISO_8859_1);
  }

  private static String join(List<Part> parts) {
    StringBuilder body = new StringBuilder("--" + BOUNDARY);
    for (Part part : parts) {
      body.append("\r\n").append(part.headers()).append(part.written());
      body.append("\r\n--" + BOUNDARY);
    }
    return body.append("--").toString();
  }

  /** Returns the headers and content of each part up to the closing delimiter. */
  private static List<String> read(String body) {
    List<String> parts = new ArrayList<>();
    String[] pieces = ("\r\n" + body).split("\r\n--" + BOUNDARY, -1);
    for (int i = 1; !pieces[i].startsWith("--"); i++) {
      parts.add(pieces[i].substring("\r\n".length()));
    }
    return parts;
  }

  @Provide
  Arbitrary<List<Part>> bodies() {
    return part().list().ofMinSize(1).ofMaxSize(4);
  }

  private static Arbitrary<Part> part() {
    Arbitrary<String> content =
        joined(
            "{{tok}}",
            "{{ tok }}",
            "\r\n",
            "\r",
            "\n",
            "-",
            "--",
            "--b-",
            "b-",
            "B",
            "x",
            "\u00ff");
    return Combinators.combine(
            Arbitraries.of(
                "\r\n",
                "X: {{tok}}\r\n\r\n",
                "Content-Type: text/plain; charset=iso-8859-1\r\n\r\n",
                "Content-Type: image/png\r\n\r\n",
                "Content-Transfer-Encoding: base64\r\n\r\n"),
            content)
        .filter((headers, written) -> !written.contains("\u00ff") || headers.contains("iso"))
        .filter((headers, written) -> !written.contains(BOUNDARY))
        .as(MultipartBodyTest::expectedPart);
  }

  private static Part expectedPart(String headers, String written) {
    boolean isBinary = headers.contains("image") || headers.contains("base64");
    return new Part(
        headers,
        written,
        isBinary ? written : written.replace("{{tok}}", "%s").replace("{{ tok }}", "%s"));
  }

  @Provide
  Arbitrary<String> values() {
    return joined("a", "-", "b", "b-", "B", "--b-B", "\r\n", "\r", "{{tok}}", "");
  }

  @Provide
  Arbitrary<String> outerText() {
    return joined("{{tok}}", "x", "-- ", "")
        .map(text -> text.isEmpty() ? "" : "\r\n" + text + "\r\n");
  }

  private static Arbitrary<String> joined(String... parts) {
    return Arbitraries.of(parts).list().ofMaxSize(5).map(list -> String.join("", list));
  }
}
