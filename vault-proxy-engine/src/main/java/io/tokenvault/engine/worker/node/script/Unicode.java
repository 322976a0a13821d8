package io.tokenvault.engine.worker.node.script;

/** Texts of JavaScript, whose halves of a pair may stand alone. */
public final class Unicode {
  private static final char REPLACEMENT = '\uFFFD';
  private static final int SURROGATE_LEAD = 0xed;
  private static final byte NEVER_IN_UTF8 = (byte) 0xff;

  private Unicode() {}

  /** The text with each half that stands alone replaced. */
  public static String withoutLoneSurrogates(String text) {
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

  /**
   * UTF-8 in which no half of a pair is encoded: the JDK reads one as a single mistake, the web as
   * one for each of its bytes.
   */
  public static ByteView withoutEncodedSurrogates(ByteView bytes) {
    byte[] changed = null;
    for (int i = 0; i + 1 < bytes.length; i++) {
      if (bytes.at(i) == SURROGATE_LEAD && (bytes.at(i + 1) & 0xe0) == 0xa0) {
        changed = changed == null ? bytes.copy() : changed;
        changed[i] = NEVER_IN_UTF8;
      }
    }
    return changed == null ? bytes : ByteView.of(changed);
  }

  /** How many bytes the text takes in UTF-8. */
  public static long utf8Length(String text) {
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
