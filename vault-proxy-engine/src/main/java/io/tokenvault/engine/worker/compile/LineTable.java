package io.tokenvault.engine.worker.compile;

import java.util.regex.Pattern;

/**
 * Map from the lines of a compiled program to lines and columns of its source.
 *
 * <p>It is stored in the program itself, as a comment at the end: for each line of the program, the
 * line and column of the source, as in {@code 1,1 3,5}.
 */
public final class LineTable {

  /** The start of the comment. */
  private static final String MARK = "\n//# lines=";

  private static final Pattern SEPARATOR = Pattern.compile("[ ,]");

  /** The identity, for programs that were not compiled. */
  private static final LineTable SAME = new LineTable(null);

  /** The source line and column of each program line in turn; null for the identity. */
  private final int[] places;

  private LineTable(int[] places) {
    this.places = places;
  }

  /**
   * Returns a program with its line table appended.
   *
   * @param places for each program line, the source line and column at which it begins, separated
   *     by a comma, and by a blank from the next; the line is 0 if the compiler added the code
   */
  public static String appended(String code, String places) {
    return code + MARK + places;
  }

  /** Returns the line table of a program; the identity if it has none. */
  public static LineTable of(String program) {
    int mark = program.lastIndexOf(MARK);
    String places = mark < 0 ? "" : program.substring(mark + MARK.length());
    if (!places.matches("[0-9 ,]+")) {
      return SAME;
    }
    try {
      return new LineTable(SEPARATOR.splitAsStream(places).mapToInt(Integer::parseInt).toArray());
    } catch (NumberFormatException e) {
      // Not a line table, but a comment of the source that looks like one.
      return SAME;
    }
  }

  /**
   * Returns a line of the source.
   *
   * @param line a line of the program, from 1
   * @return the line of the source, from 1; 0 if the compiler added the code in that line
   */
  public int source(int line) {
    return places == null ? Math.max(0, line) : place(line, 0);
  }

  /**
   * Returns the column of the source at which a line of the program begins.
   *
   * @param line a line of the program, from 1
   * @return the column, from 1; 0 if it is not known
   */
  public int column(int line) {
    return places == null ? 0 : place(line, 1);
  }

  private int place(int line, int part) {
    return line > 0 && 2 * line <= places.length ? places[2 * (line - 1) + part] : 0;
  }
}
