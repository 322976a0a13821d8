package io.tokenvault.engine.expression;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BodyCharsetTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UTF-8",
        "UTF-16BE",
        "US-ASCII",
        "ISO-8859-15",
        "windows-1252",
        "Big5-HKSCS",
        "GB18030",
        "Shift_JIS",
        "ISO-2022-JP"
      })
  void repertoireMatchesWhatCharsetCanEncode(String name) {
    Charset charset = Charset.forName(name);
    BodyCharset repertoire = new BodyCharset(charset);
    CharsetEncoder encoder = charset.newEncoder();
    int[] wrong =
        IntStream.iterate(0, each -> each <= Character.MAX_CODE_POINT, each -> each + 101)
            .filter(each -> repertoire.has(each) != encoder.canEncode(Character.toString(each)))
            .limit(9)
            .toArray();

    assertThat(wrong).isEmpty();
  }
}
