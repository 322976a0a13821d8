package io.tokenvault.engine.worker.node.script;

import java.nio.charset.StandardCharsets;

/** Helpers for JavaScript strings, which may contain lone surrogates. */
public final class Unicode {
  /** The lead byte in UTF-8 that is shared by all surrogates. */
  private static final int SURROGATE_LEAD = 0xed;

  /** A byte that is invalid everywhere in UTF-8. */
  private static final byte NEVER_IN_UTF8 = (byte) 0xff;

  private Unicode() {}

  /** Returns the text with each lone surrogate replaced by U+FFFD. */
  public static String withoutLoneSurrogates(String text) {
    int first = 0;
    while (first < text.length() && !Character.isSurrogate(text.charAt(first))) {
      first++;
    }
    // The encoder of UTF-16 replaces a lone surrogate by U+FFFD, that of UTF-8 by a question mark.
    return first == text.length()
        ? text
        : new String(text.getBytes(StandardCharsets.UTF_16BE), StandardCharsets.UTF_16BE);
  }

  /**
   * Replaces the lead bytes of encoded surrogates, which are invalid in UTF-8. The decoder of the
   * JDK replaces such a sequence by one U+FFFD, while the Encoding Standard requires one for each
   * byte.
   *
   * @return the same view if there is no encoded surrogate
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

  /** Returns the length of the text in UTF-8, in bytes; a lone surrogate counts as U+FFFD. */
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
