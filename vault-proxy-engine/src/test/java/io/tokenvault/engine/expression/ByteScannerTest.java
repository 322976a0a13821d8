package io.tokenvault.engine.expression;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.engine.expression.TextualBody.ByteScanner;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Tests that scanning a streamed body in chunks agrees with reading the buffered body. */
class ByteScannerTest {
  @Property(tries = 600)
  void scannerDetectsExactlyWhatReaderFinds(
      @ForAll("types") String type,
      @ForAll("texts") String text,
      @ForAll @IntRange(min = 1, max = 7) int size) {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    TextualBody kind = TextualBody.of(type).orElseThrow();

    assertThat(findsExpression(kind, body, size))
        .isEqualTo(kind.read(body, bytes -> {}).isPresent());
  }

  @Property(tries = 1500)
  void xmlIsReplacedOrRejectedExactlyWhenScannerDetectsExpression(
      @ForAll("xml") String text, @ForAll @IntRange(min = 1, max = 9) int size) {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    TextualBody kind = TextualBody.of("application/xml").orElseThrow();

    assertThat(findsExpression(kind, body, size))
        .isEqualTo(!readerFinds(kind, body).equals(Optional.of(false)));
  }

  @Property(tries = 1500)
  void otherBodyWithDetectedExpressionIsReplacedOrRejected(
      @ForAll("structuredTypes") String type,
      @ForAll("structuredTexts") String text,
      @ForAll @IntRange(min = 1, max = 9) int size) {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    TextualBody kind = TextualBody.of(type).orElseThrow();

    assertThat(readerFinds(kind, body))
        .isNotEqualTo(Optional.of(!findsExpression(kind, body, size)));
  }

  /** Returns whether the reader finds an expression; empty if it rejects the body. */
  private static Optional<Boolean> readerFinds(TextualBody kind, byte[] body) {
    try {
      return Optional.of(kind.read(body, bytes -> {}).isPresent());
    } catch (ValidationException rejected) {
      return Optional.empty();
    }
  }

  @Property(tries = 50)
  void scannerAppliesCharset(
      @ForAll("charsets") String charset, @ForAll @IntRange(min = 1, max = 5) int size) {
    TextualBody kind = TextualBody.of("text/plain; charset=" + charset).orElseThrow();
    Charset named = Charset.forName(charset);

    assertThat(findsExpression(kind, "ä😀{{ü}}".getBytes(named), size)).isTrue();
    assertThat(findsExpression(kind, "ä😀{{ }}".getBytes(named), size)).isFalse();
  }

  static boolean findsExpression(TextualBody kind, byte[] body, int size) {
    ByteScanner scanner = kind.scanner();
    boolean found = false;
    for (int at = 0; at < body.length && !found; at += size) {
      found = scanner.scan(body, at, Math.min(size, body.length - at));
    }
    return found;
  }

  @Provide
  Arbitrary<String> types() {
    return Arbitraries.of("text/plain", "application/x-www-form-urlencoded");
  }

  @Provide
  Arbitrary<String> structuredTypes() {
    return Arbitraries.of(
        "application/json", "multipart/mixed; boundary=b", "multipart/mixed", "text/xml");
  }

  @Provide
  Arbitrary<String> xml() {
    return joined(
        "<?xml_version='1.0' encoding='utf-8' encoding=\"utf-16\" ?> <!DOCTYPE_a [ ] <!-- -->"
            + " <![CDATA[ ]]> <a_ b=' \" ' < > </a> {{x}} {{ }} _ \ufeff ü");
  }

  @Provide
  Arbitrary<String> structuredTexts() {
    return joined(
        "{ [ \" \\ \\u007b : , ] } {{x}} {{ }} \"{{x}}\" <a> \r\n--b\r\n \r\n--b-- --b \r\n\r\n \r"
            + " \n x Content-Type:_image/png\r\n\r\n Content-Type:_text/xml\r\n\r\n"
            + " Content-Type:_multipart/a;_boundary=c\r\n\r\n --c\r\n\r\n \r\n--c--");
  }

  /** Returns sequences of the space-separated parts, in which {@code _} stands for a space. */
  private static Arbitrary<String> joined(String parts) {
    return Arbitraries.of(parts.split(" "))
        .map(part -> part.replace('_', ' '))
        .list()
        .ofMinSize(2)
        .ofMaxSize(14)
        .map(list -> String.join("", list));
  }

  @Provide
  Arbitrary<String> charsets() {
    return Arbitraries.of("UTF-8", "UTF-16", "UTF-16LE", "UTF-32");
  }

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.of(
            "{", "{", "{", "}", "}", "}", "%7b", "%7D", "%", "7b", " ", "+", "&", "=", "a", "ü")
        .list()
        .ofMinSize(4)
        .ofMaxSize(14)
        .map(parts -> String.join("", parts));
  }
}
