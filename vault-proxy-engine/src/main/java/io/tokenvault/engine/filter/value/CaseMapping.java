package io.tokenvault.engine.filter.value;

import java.util.Locale;

/**
 * Upper and lower case, character by character: those of {@link String} take time by the square of
 * a text's length where a character becomes several, or looks at its neighbors.
 */
public final class CaseMapping {

  private static final int SIGMA = 'Σ';
  private static final char FINAL_SIGMA = 'ς';

  private CaseMapping() {}

  public static String upper(String text) {
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

  public static String lower(String text) {
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

  /** Whether no letter follows but for marks on the one before. */
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

  /** What texts have in common that differ in case only. */
  public static String folded(String text) {
    StringBuilder folded = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            each -> folded.appendCodePoint(Character.toLowerCase(Character.toUpperCase(each))));
    return folded.toString();
  }
}
