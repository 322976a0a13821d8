package io.tokenvault.domain.failure;

import java.util.regex.Pattern;

/**
 * Formats a name that a client sent, such as that of an unknown permission or field, for a message.
 *
 * <p>The name is shortened to {@link #MAX_LENGTH} characters. Every character that could change how
 * the rest is read is escaped: control and format characters, which reorder or hide text; line
 * separators; private-use and unassigned characters. Never use it for sensitive input such as data.
 */
public final class ShownName {

  /** The maximum length in Unicode code points. */
  public static final int MAX_LENGTH = 50;

  private static final Pattern CHOICE = Pattern.compile("[A-Za-z_:]{1," + MAX_LENGTH + "}");
  private static final String CUT = "...";

  private ShownName() {}

  /** Returns the name in single quotes. */
  public static String quoted(String name) {
    return "'" + shown(name, '\'') + "'";
  }

  /**
   * Returns the message for a name that is none of the choices. The name is included only if it
   * looks like a choice; anything else could be data that was sent in the wrong property.
   */
  public static String noneOf(String choices, String name) {
    String expected = "must be one of " + choices;
    return CHOICE.matcher(name).matches() ? expected + ", not " + quoted(name) : expected;
  }

  /** Returns the name as part of a property path, without quotes. */
  public static String inPath(String name) {
    return shown(name, '\\');
  }

  /** Escapes unsafe characters, backslashes and the given character. */
  private static String shown(String name, char quote) {
    StringBuilder text = new StringBuilder();
    int next = 0;
    for (int i = 0; i < MAX_LENGTH && next < name.length(); i++) {
      int codePoint = name.codePointAt(next);
      next += Character.charCount(codePoint);
      if (isUnsafe(codePoint)) {
        text.append("\\u{").append(Integer.toHexString(codePoint)).append('}');
      } else if (codePoint == '\\' || codePoint == quote) {
        text.append('\\').append((char) codePoint);
      } else {
        text.appendCodePoint(codePoint);
      }
    }
    return next < name.length() ? text + CUT : text.toString();
  }

  private static boolean isUnsafe(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> codePoint != ' ' && Character.isSpaceChar(codePoint);
    };
  }
}
