package io.tokenvault.engine.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.failure.ValidationException;
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

/** Verifies with an independent reader that only expressions in multipart bodies change. */
class MultipartBodyPropertyTest {

  private static final String BOUNDARY = "b-B";

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

    assertThat(ByteScannerTest.findsExpression(kind, body, size))
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
        .as(MultipartBodyPropertyTest::part);
  }

  private static Part part(String headers, String written) {
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
