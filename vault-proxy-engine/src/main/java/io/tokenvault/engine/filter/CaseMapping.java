package io.tokenvault.engine.filter;

import java.util.Locale;

/**
 * Conversion to upper and lower case, character by character and in linear time. The methods of
 * {@link String} take quadratic time where one character becomes several or depends on its
 * neighbors.
 */
final class CaseMapping {

  private static final int SIGMA = 'Σ';
  private static final char FINAL_SIGMA = 'ς';

  private CaseMapping() {}

  /** Returns a text in upper case, independent of the locale. */
  static String upper(String text) {
    StringBuilder upper = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            each -> {
              if (each < 0x80) {
                upper.append((char) Character.toUpperCase(each));
              } else {
                upper.append(Character.toString(each).toUpperCase(Locale.ROOT));
              }
            });
    return upper.toString();
  }

  /**
   * Returns a text in lower case, independent of the locale, with the final form of sigma at the
   * end of words.
   */
  static String lower(String text) {
    StringBuilder lower = new StringBuilder(text.length());
    boolean inWord = false;
    for (int at = 0; at < text.length(); ) {
      int character = text.codePointAt(at);
      at += Character.charCount(character);
      if (character < 0x80) {
        lower.append((char) Character.toLowerCase(character));
      } else if (character == SIGMA && inWord && endsWord(text, at)) {
        lower.append(FINAL_SIGMA);
      } else {
        lower.append(Character.toString(character).toLowerCase(Locale.ROOT));
      }
      inWord = Character.isLetter(character) || (inWord && isMark(character));
    }
    return lower.toString();
  }

  /** Returns whether no letter follows, after any combining marks. */
  private static boolean endsWord(String text, int from) {
    int at = from;
    while (at < text.length() && isMark(text.codePointAt(at))) {
      at += Character.charCount(text.codePointAt(at));
    }
    return at == text.length() || !Character.isLetter(text.codePointAt(at));
  }

  private static boolean isMark(int character) {
    return Character.getType(character) == Character.NON_SPACING_MARK;
  }

  /** Returns a text that is identical for all texts that differ in case only. */
  static String folded(String text) {
    StringBuilder folded = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            each -> folded.appendCodePoint(Character.toLowerCase(Character.toUpperCase(each))));
    return folded.toString();
  }
}
