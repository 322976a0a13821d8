package io.tokenvault.engine.expression;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** What passes by under watch is judged as what is held, wherever it is cut. */
class WatchTest {

  @Property(tries = 600)
  void aWatchSeesWhatTheReaderSees(
      @ForAll("syntaxes") String type,
      @ForAll("texts") String text,
      @ForAll @IntRange(min = 1, max = 7) int size) {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    TextualBody kind = TextualBody.of(type).orElseThrow();

    assertThat(seen(kind, body, size)).isEqualTo(kind.read(body).isPresent());
  }

  @Property(tries = 50)
  void aWatchReadsTheCharset(
      @ForAll("charsets") String charset, @ForAll @IntRange(min = 1, max = 5) int size) {
    TextualBody kind = TextualBody.of("text/plain; charset=" + charset).orElseThrow();
    Charset named = Charset.forName(charset);

    assertThat(seen(kind, "ä😀{{ü}}".getBytes(named), size)).isTrue();
    assertThat(seen(kind, "ä😀{{ }}".getBytes(named), size)).isFalse();
  }

  private static boolean seen(TextualBody kind, byte[] body, int size) {
    WatchedBytes watch = kind.watch();
    boolean seen = false;
    for (int at = 0; at < body.length && !seen; at += size) {
      seen = watch.see(body, at, Math.min(size, body.length - at));
    }
    return seen;
  }

  @Provide
  Arbitrary<String> syntaxes() {
    return Arbitraries.of("text/plain", "application/x-www-form-urlencoded");
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
