package io.tokenvault.adapters.jdbi.sql;

/** How names are searched: {@code *} is any run of characters, everything else is literal. */
public final class NamePattern {

  private static final String ANY = "%";

  private NamePattern() {}

  /** Without the difference of upper and lower case, character by character. */
  public static String fold(String text) {
    StringBuilder folded = new StringBuilder(text.length());
    text.codePoints()
        .map(each -> Character.toLowerCase(Character.toUpperCase(each)))
        .forEach(folded::appendCodePoint);
    return folded.toString();
  }

  /** The pattern for LIKE on folded names; a text without {@code *} may stand anywhere in it. */
  public static String toLike(String pattern) {
    String literal = fold(pattern).replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_");
    return pattern.indexOf('*') < 0 ? ANY + literal + ANY : literal.replace("*", ANY);
  }
}
