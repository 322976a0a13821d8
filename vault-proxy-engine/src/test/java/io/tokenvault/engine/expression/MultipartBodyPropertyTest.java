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
      @ForAll("around") String preamble,
      @ForAll("around") String epilogue) {
    String body = preamble + written(parts) + epilogue;
    List<String> expected = new ArrayList<>();
    parts.forEach(part -> expected.add(part.headers() + part.expected().replace("%s", value)));
    boolean refused = expected.stream().anyMatch(each -> each.contains(BOUNDARY));

    if (refused) {
      assertThatThrownBy(() -> filled(body, value)).isInstanceOf(ValidationException.class);
      return;
    }
    String filled = filled(body, value);
    assertThat(filled).startsWith(preamble).endsWith("\r\n--" + BOUNDARY + "--" + epilogue);
    assertThat(read(filled.substring(preamble.length()))).isEqualTo(expected);
  }

  @Property(tries = 1000)
  void watchDetectsWhatIsReplaced(
      @ForAll("bodies") List<Part> parts,
      @ForAll("around") String preamble,
      @ForAll("around") String epilogue,
      @ForAll @IntRange(min = 1, max = 20) int size) {
    byte[] body = (preamble + written(parts) + epilogue).getBytes(StandardCharsets.ISO_8859_1);
    TextualBody kind = TextualBody.of("multipart/mixed; boundary=" + BOUNDARY).orElseThrow();

    assertThat(WatchTest.seen(kind, body, size))
        .isEqualTo(kind.read(body, bytes -> {}).isPresent());
  }

  private static String filled(String body, String value) {
    return Filled.text(
        "multipart/mixed; boundary=\"" + BOUNDARY + '"',
        body,
        Map.of("tok", value),
        StandardCharsets.ISO_8859_1);
  }

  private static String written(List<Part> parts) {
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
    boolean opaque = headers.contains("image") || headers.contains("base64");
    return new Part(
        headers,
        written,
        opaque ? written : written.replace("{{tok}}", "%s").replace("{{ tok }}", "%s"));
  }

  @Provide
  Arbitrary<String> values() {
    return joined("a", "-", "b", "b-", "B", "--b-B", "\r\n", "\r", "{{tok}}", "");
  }

  @Provide
  Arbitrary<String> around() {
    return joined("{{tok}}", "x", "-- ", "")
        .map(text -> text.isEmpty() ? "" : "\r\n" + text + "\r\n");
  }

  private static Arbitrary<String> joined(String... parts) {
    return Arbitraries.of(parts).list().ofMaxSize(5).map(list -> String.join("", list));
  }
}
