package io.tokenvault.engine.worker.node;

/** Texts of JavaScript, whose halves of a pair may stand alone. */
final class Unicode {
  private static final char REPLACEMENT = '\uFFFD';

  private Unicode() {}

  /** The text with each half that stands alone replaced. */
  static String withoutLoneSurrogates(String text) {
    int first = nextLone(text, 0);
    if (first < 0) {
      return text;
    }
    StringBuilder out = new StringBuilder(text);
    for (int i = first; i >= 0; i = nextLone(text, i + 1)) {
      out.setCharAt(i, REPLACEMENT);
    }
    return out.toString();
  }

  private static int nextLone(String text, int from) {
    for (int i = from; i < text.length(); i++) {
      if (!Character.isSurrogate(text.charAt(i))) {
        continue;
      }
      boolean pair =
          i + 1 < text.length() && Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1));
      if (!pair) {
        return i;
      }
      i++;
    }
    return -1;
  }

  /** How many bytes the text takes in UTF-8. */
  static long utf8Length(String text) {
    long length = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      length += c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
      if (i + 1 < text.length() && Character.isSurrogatePair(c, text.charAt(i + 1))) {
        length++;
        i++;
      }
    }
    return length;
  }
}
