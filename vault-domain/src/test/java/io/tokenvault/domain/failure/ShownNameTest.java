package io.tokenvault.domain.failure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ShownNameTest {

  private static final String KEY = "\uD83D\uDD11";

  @Test
  void nameIsQuotedAndUnchanged() {
    assertThat(ShownName.quoted("token:eat")).isEqualTo("'token:eat'");
    assertThat(ShownName.quoted("")).isEqualTo("''");
    assertThat(ShownName.quoted("\u00e9 \u4e16" + KEY)).isEqualTo("'\u00e9 \u4e16" + KEY + "'");
  }

  @Test
  void nameIsShortenedToFiftyCodePoints() {
    assertThat(ShownName.quoted(KEY.repeat(50))).isEqualTo("'" + KEY.repeat(50) + "'");
    assertThat(ShownName.quoted(KEY.repeat(51))).isEqualTo("'" + KEY.repeat(50) + "...'");
    assertThat(ShownName.inPath("n".repeat(1_000_000))).isEqualTo("n".repeat(50) + "...");
  }

  @Test
  void deceptiveCharactersAreEscaped() {
    assertThat(ShownName.quoted("a\n\u0000\u007f\u0085b"))
        .isEqualTo("'a\\u{a}\\u{0}\\u{7f}\\u{85}b'");
    assertThat(ShownName.quoted("\u202etxt.exe\u2066")).isEqualTo("'\\u{202e}txt.exe\\u{2066}'");
    assertThat(ShownName.quoted("a\u200b\u00adb\udb40\udc41"))
        .isEqualTo("'a\\u{200b}\\u{ad}b\\u{e0041}'");
    assertThat(ShownName.quoted("a\u2028\u2029\u00a0b")).isEqualTo("'a\\u{2028}\\u{2029}\\u{a0}b'");
    assertThat(ShownName.quoted("\ud83d\ue000\uffff")).isEqualTo("'\\u{d83d}\\u{e000}\\u{ffff}'");
  }

  @Test
  void quotesInNameAreEscaped() {
    assertThat(ShownName.quoted("a' and 'b\\")).isEqualTo("'a\\' and \\'b\\\\'");
    assertThat(ShownName.inPath("a'b\\c\u202e")).isEqualTo("a'b\\\\c\\u{202e}");
  }

  @Test
  void messageQuotesValueUnlessItMayBeData() {
    assertThat(ShownName.noneOf("a, b", "c")).isEqualTo("must be one of a, b, not 'c'");
    assertThat(ShownName.noneOf("a, b", "4242424242424242")).isEqualTo("must be one of a, b");
    assertThat(ShownName.noneOf("a, b", "c".repeat(51))).isEqualTo("must be one of a, b");
  }
}
