package io.tokenvault.engine.worker.node;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Percent-encoding with the sets of the URL standard. */
final class Percent {

  static final String CONTROL = "";
  static final String FRAGMENT = " \"<>`";
  static final String QUERY = " \"#<>";
  static final String SPECIAL_QUERY = QUERY + "'";
  static final String PATH = QUERY + "?`{}";
  static final String USERINFO = PATH + "/:;=@[\\]^|";

  private static final char[] DIGITS = "0123456789ABCDEF".toCharArray();

  private Percent() {}

  /** Encodes controls, everything beyond ASCII, and the characters of the set. */
  static String encode(String text, String set) {
    StringBuilder out = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); ) {
      int point = text.codePointAt(i);
      i += Character.charCount(point);
      if (point > 0x1f && point < 0x7f && set.indexOf(point) < 0) {
        out.append((char) point);
      } else {
        escape(out, point);
      }
    }
    return out.toString();
  }

  /** As {@code application/x-www-form-urlencoded} has it. */
  static String form(String text) {
    StringBuilder out = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); ) {
      int point = text.codePointAt(i);
      i += Character.charCount(point);
      if (point == ' ') {
        out.append('+');
      } else if (isWord(point) || "*-._".indexOf(point) >= 0) {
        out.append((char) point);
      } else {
        escape(out, point);
      }
    }
    return out.toString();
  }

  /** The bytes that a text stands for; what is no escape stands for itself. */
  static byte[] decode(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length);
    for (int i = 0; i < bytes.length; i++) {
      int high = bytes[i] == '%' && i + 2 < bytes.length ? digit(bytes[i + 1]) : -1;
      int low = high < 0 ? -1 : digit(bytes[i + 2]);
      if (low < 0) {
        out.write(bytes[i]);
      } else {
        out.write(high << 4 | low);
        i += 2;
      }
    }
    return out.toByteArray();
  }

  static int digit(int character) {
    return character < 0x80 ? Character.digit(character, 16) : -1;
  }

  private static boolean isWord(int point) {
    return (point >= '0' && point <= '9')
        || (point >= 'a' && point <= 'z')
        || (point >= 'A' && point <= 'Z');
  }

  private static void escape(StringBuilder out, int point) {
    boolean alone = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
    String text = alone ? "\uFFFD" : Character.toString(point);
    for (byte one : text.getBytes(StandardCharsets.UTF_8)) {
      out.append('%').append(DIGITS[(one >> 4) & 15]).append(DIGITS[one & 15]);
    }
  }
}
