package io.tokenvault.adapters.jdbi.sql;

/**
 * Search patterns for names: {@code *} matches any run of characters, all else is literal.
 *
 * <p>Searches ignore case. Stored names are folded by {@link #fold}, patterns by {@link #toLike}.
 */
public final class NamePattern {

  private static final String ANY = "%";

  private NamePattern() {}

  /**
   * Returns the text with the case of each character removed. The length in characters stays the
   * same, unlike with {@link String#toLowerCase()}.
   */
  public static String fold(String text) {
    StringBuilder folded = new StringBuilder(text.length());
    text.codePoints()
        .map(each -> Character.toLowerCase(Character.toUpperCase(each)))
        .forEach(folded::appendCodePoint);
    return folded.toString();
  }

  /**
   * Returns the operand of {@code LIKE} for folded names. A pattern without {@code *} matches
   * anywhere in a name.
   */
  public static String toLike(String pattern) {
    String literal = fold(pattern).replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_");
    return pattern.indexOf('*') < 0 ? ANY + literal + ANY : literal.replace("*", ANY);
  }
}
